import JSON
import Primitives
import Synchronization

@testable import SDKCore

/// A world of processes that share a store and an authorization server: each waits before every step until the
/// test lets it go on, normally or with a fault.
final class ModelWorld: Sendable {
  enum Step: Hashable, Sendable {
    case read, grant, take, changes(Int64), exchange, store, revoke

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
  }

  struct Choice: Hashable, Sendable {
    let process: Int
    let fault: Fault
  }

  struct Process: Sendable {
    var step: Step?
    var isDone = false
    var hasCrashed = false
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
    /// Faults that allow a second use of a refresh token, or the loss of one.
    var isExcused = false
  }

  static let path = SecretName.tokens(.user).path(of: .standard)
  let state: Mutex<State>
  let key: StoreKey

  init(processes: Int, key: StoreKey) throws {
    self.key = key
    state = Mutex(
      State(processes: Array(repeating: Process(), count: processes), running: processes))
    let name = SharedSnapshot.valueKey(Self.path, "p")
    let value = try SealedDocument.seal(["token": 1], as: name, counter: 1, with: key)
    state.withLock {
      $0.values[name] = KeyValue(value: value, created: 1, modified: 1)
    }
  }

  // MARK: Processes

  /// Starts a process: it reads, and renews under the lock what was there in the beginning.
  func start(_ index: Int, _ location: StoreLocation) throws {
    var keys = try StoreKeys(of: ProfileName("model"), at: location)
    keys.add(key)
    let all = keys
    let place = SharedPlace(
      ModelStore(world: self, process: index), below: "p", called: "model",
      owner: { "process \(index)" }, keys: { () throws(SDKError) in all },
      copy: { _ in
        MachineCopy(path: location.stateFile("none"), place: "model", isKept: false)
      }, now: { 0 })
    Task {
      let result: String
      do throws(SDKError) {
        result = "token \(try await renew(index, place))"
      } catch {
        result = error.code.description
      }
      state.withLock { state in
        state.processes[index].isDone = true
        state.processes[index].result = result
        Self.stop(&state)
      }
    }
  }

  private func renew(_ index: Int, _ place: SharedPlace) async throws(SDKError) -> Int64 {
    func newer() async throws(SDKError) -> Int64? {
      let token = try await place.read(Self.path)?["token"]?.int ?? 0
      return token > 1 ? token : nil
    }
    if let token = try await newer() { return token }
    do throws(SDKError) {
      return try await place.locked(Self.path, waiting: .seconds(60), unless: newer) {
        () async throws(SDKError) in
        if let token = try await newer() { return token }
        guard let token = try await exchange(index, 1) else {
          // The rule of a refresh token that the server no longer takes: read again.
          let current = try await place.readAgain(Self.path)?["token"]?.int ?? 0
          guard current > 1 else { throw SDKError(.sessionExpired, "ended") }
          return current
        }
        try await place.write(["token": .int(token)], to: Self.path)
        return token
      }
    } catch {
      guard error.code == .changedElsewhere, let token = try await newer() else { throw error }
      return token
    }
  }

  /// The server: a refresh token is taken once; a second use ends the session.
  private func exchange(_ index: Int, _ token: Int64) async throws(SDKError) -> Int64? {
    try await step(index, .exchange) { state -> Int64? in
      state.exchanges[token, default: 0] += 1
      guard state.isAlive, token == state.current else {
        state.isAlive = false
        return nil
      }
      state.current += 1
      return state.current
    } seen: {
      "\($0 ?? 0)"
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
          guard !state.processes[index].hasCrashed else {
            return continuation.resume(returning: .crash)
          }
          state.processes[index].step = step
          state.processes[index].resume = continuation
          Self.stop(&state)
        }
      }
      if fault == .crash { throw SDKError(.cancelled, "crashed") }
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

  private static func stop(_ state: inout State) {
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
      if choice.fault == .crash || choice.fault == .lostLease
        || choice.fault == .lostAnswer && process.step == .exchange
      {
        state.isExcused = true
      }
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
      let leases = state.processes.filter(\.hasCrashed).compactMap(\.lease)
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
        hasher.combine(process.history)
      }
      return hasher.finalize()
    }
  }
}
