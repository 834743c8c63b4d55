import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

/// A world of processes that share a store and an authorization server: each waits before every step until the
/// test lets it go on, normally or with a fault.
final class ModelWorld: Sendable {
  enum Step: Hashable, Sendable {
    case read, grant, take, changes(Int64), note, exchange, store, revoke

    /// Its name, without a revision: that depends on the order of steps which do not matter.
    var name: String { if case .changes = self { "changes" } else { "\(self)" } }
  }

  enum Fault: Hashable, Sendable {
    case none
    /// The step is done, but its answer is lost.
    case lostAnswer
    /// The process ends before the step.
    case crash
    /// The process stands still until its lease has ended, before the step.
    case lostLease
    /// The store cannot be reached any more, from this step on.
    case outage
  }

  struct Choice: Hashable, Sendable {
    let process: Int
    let fault: Fault
  }

  struct Process: Sendable {
    var step: Step?
    var isDone = false
    var hasCrashed = false
    var isCut = false
    var lease: Int64?
    var result: String?
    var resume: UnsafeContinuation<Fault, Never>?
    /// What it has seen: the state of a process follows from it.
    var history: [Int] = []
  }

  struct State: Sendable {
    var revision: Int64 = 1
    var values: [String: KeyValue] = [:]
    var leases: Set<Int64> = []
    /// The refresh token that the server takes next; those before it were used.
    var current: Int64 = 1
    var isAlive = true
    var exchanges: [Int64: Int] = [:]
    /// The counters of all values that were stored, in order.
    var stored: [Int64] = []
    var processes: [Process]
    var running: Int
    var waiting: UnsafeContinuation<Void, Never>?
    /// Whether no process waits for the test any more.
    var isFree = false
    /// Faults after which a process may end with an error, but for a lost token.
    var isExcused = false
    /// Whether the response of the authorization server was lost, or who got it was killed before it could be kept.
    var hasLostToken = false
  }

  static let path = ProfileFile.tokens(.user).path(of: .standard)
  let state: Mutex<State>
  let key: StoreKey
  /// What each machine keeps.
  let files: [MemoryFiles]

  init(processes: Int, key: StoreKey) throws {
    self.key = key
    files = (0..<processes).map { _ in MemoryFiles() }
    state = Mutex(
      State(processes: Array(repeating: Process(), count: processes), running: processes))
    let name = SharedSnapshot.valueKey(Self.path, "p")
    let value = try EncryptedDocument.seal(["token": 1], as: name, counter: 1, with: key)
    state.withLock {
      $0.values[name] = KeyValue(value: value, created: 1, modified: 1)
    }
  }

  // MARK: Steps

  /// Waits for the choice of the test, and does the step at once; after a lost answer it is sent again.
  func step<Value: Sendable>(
    _ index: Int, _ step: Step, _ body: @Sendable (inout State) -> Value,
    seen: (Value) -> String
  ) async throws(SDKError) -> Value {
    while true {
      let fault = await withUnsafeContinuation { (continuation: UnsafeContinuation<Fault, Never>) in
        state.withLock { state in
          guard !state.isFree else { return continuation.resume(returning: .none) }
          guard !state.processes[index].hasCrashed else {
            return continuation.resume(returning: .crash)
          }
          guard !state.processes[index].isCut || step == .exchange else {
            return continuation.resume(returning: .outage)
          }
          state.processes[index].step = step
          state.processes[index].resume = continuation
          Self.stop(&state)
        }
      }
      if fault == .crash { throw SDKError(.cancelled, "crashed") }
      if fault == .outage { throw SDKError(.network, "no node responds") }
      let value = state.withLock { state in
        if fault == .lostLease, let lease = state.processes[index].lease { Self.end(lease, &state) }
        let value = body(&state)
        state.processes[index].history.append(
          (step.name + (fault == .lostAnswer ? "" : seen(value))).hashValue)
        return value
      }
      guard fault == .lostAnswer else { return value }
      // A request to the authorization server is not sent again.
      if step == .exchange { throw SDKError(.network, "lost") }
    }
  }

  static func stop(_ state: inout State) {
    state.running -= 1
    guard state.running == 0, let waiting = state.waiting else { return }
    state.waiting = nil
    waiting.resume()
  }

  static func end(_ lease: Int64, _ state: inout State) {
    guard state.leases.remove(lease) != nil else { return }
    let keys = state.values.filter { $0.value.lease == lease }.map(\.key)
    if !keys.isEmpty { state.revision += 1 }
    for key in keys { state.values[key] = nil }
  }

  /// Waits until every process waits, or has ended.
  func settled() async {
    await withUnsafeContinuation { continuation in
      state.withLock { state in
        if state.running == 0 { return continuation.resume() }
        state.waiting = continuation
      }
    }
  }

  /// What can happen next.
  func choices(faults: Int) -> [Choice] {
    state.withLock { state in
      // Whose lease is made first does not matter, nor in which order equal processes begin.
      if let index = state.processes.firstIndex(where: { $0.step == .grant }) {
        return [Choice(process: index, fault: .none)]
      }
      let first = state.processes.firstIndex { $0.step != nil && $0.history.isEmpty }
      return state.processes.indices.flatMap { index -> [Choice] in
        let process = state.processes[index]
        guard let step = process.step, !process.history.isEmpty || index == first else { return [] }
        var choices: [Choice] = []
        if case .changes(let after) = step {
          if Self.changed(after, state) { choices.append(Choice(process: index, fault: .none)) }
        } else {
          choices.append(Choice(process: index, fault: .none))
        }
        guard faults > 0, !choices.isEmpty else { return choices }
        // Before its first request a process has done nothing.
        if !process.history.isEmpty { choices.append(Choice(process: index, fault: .crash)) }
        if step != .read, step != .revoke {
          choices.append(Choice(process: index, fault: .lostAnswer))
        }
        if step != .exchange { choices.append(Choice(process: index, fault: .outage)) }
        if process.lease.map(state.leases.contains) == true {
          choices.append(Choice(process: index, fault: .lostLease))
        }
        return choices
      }
    }
  }

  /// The lock that processes wait for has gone or was changed: for the model, any newer revision.
  private static func changed(_ after: Int64, _ state: State) -> Bool {
    let lock = state.values[SharedSnapshot.lockKey(path, "p")]
    let value = state.values[SharedSnapshot.valueKey(path, "p")]
    return lock == nil || (lock?.modified ?? 0) > after || (value?.modified ?? 0) > after
  }

  func go(_ choice: Choice) {
    let resume = state.withLock { state -> UnsafeContinuation<Fault, Never>? in
      let process = state.processes[choice.process]
      state.processes[choice.process].step = nil
      state.processes[choice.process].resume = nil
      if choice.fault == .crash { state.processes[choice.process].hasCrashed = true }
      if choice.fault == .outage { state.processes[choice.process].isCut = true }
      let isLost = choice.fault == .lostAnswer && process.step == .exchange
      if isLost { state.hasLostToken = true }
      if isLost || [.crash, .outage, .lostLease].contains(choice.fault) { state.isExcused = true }
      state.running += 1
      return process.resume
    }
    resume?.resume(returning: choice.fault)
  }

  /// What a process can know of these values.
  static func seen(_ values: [String: KeyValue]) -> String {
    values.sorted { $0.key < $1.key }.map { key, value in
      let counter = value.lease == 0 ? (try? JSON(parsing: value.value))?["counter"]?.int ?? 0 : 0
      return "\(key) \(value.lease) \(counter)"
    }.joined(separator: ";")
  }

  /// Ends the leases of processes that have crashed, as the server does; `false` if there are none.
  func expire() -> Bool {
    state.withLock { state in
      let leases = state.processes.filter { $0.hasCrashed || $0.isCut }.compactMap(\.lease)
        .filter(state.leases.contains)
      for lease in leases { Self.end(lease, &state) }
      return !leases.isEmpty
    }
  }

  /// What decides how it goes on.
  var digest: Int {
    state.withLock { state in
      var hasher = Hasher()
      hasher.combine(state.current)
      hasher.combine(state.isAlive)
      hasher.combine(state.isExcused)
      hasher.combine(state.exchanges)
      hasher.combine(state.leases)
      hasher.combine(Self.seen(state.values))
      for process in state.processes {
        hasher.combine(process.step?.name)
        if case .changes(let after) = process.step { hasher.combine(Self.changed(after, state)) }
        hasher.combine(process.isDone)
        hasher.combine(process.hasCrashed)
        hasher.combine(process.isCut)
        hasher.combine(process.history)
      }
      return hasher.finalize()
    }
  }
}
