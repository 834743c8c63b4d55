import HTTP
import Primitives
import SDKCore
import Synchronization

/// The lease of one process for its locks: made when it is first needed, and kept alive while locks are held.
final class SharedLease: Sendable {
  private struct State {
    var id: Int64?
    /// When it ends, unless it is kept alive; counted from before the request, by a clock that counts a suspended machine.
    var until = ContinuousClock.Instant.now
    var keepingAlive: Task<Void, Never>?
  }

  private let store: any KeyValueStore
  private let interval: Duration
  private let state = Mutex(State())

  init(of store: any KeyValueStore, keptAliveEach interval: Duration = .seconds(life / 4)) {
    (self.store, self.interval) = (store, interval)
  }

  /// What names it; `nil` while there is none.
  var id: Int64? { state.withLock { $0.id } }

  /// Until when it lives certainly.
  var until: ContinuousClock.Instant { state.withLock { $0.until } }

  /// Makes it, unless there is one.
  func obtained() async throws(SDKError) -> Int64 {
    if let id { return id }
    let until = ContinuousClock.now + .seconds(Self.life)
    let made = try await store.grant(seconds: Self.life)
    state.withLock { ($0.id, $0.until) = (made, until) }
    return made
  }

  /// Keeps it alive until it ends.
  func keepAlive() {
    state.withLock { [store, interval] state in
      guard let id = state.id else { return }
      state.keepingAlive = Task.detached { [weak self] in
        while (try? await Task.sleep(for: interval)) != nil {
          let until = ContinuousClock.now + .seconds(Self.life)
          // An error may pass; whether the lock is still ours is asked when the result is stored.
          guard (try? await store.keepAlive(id)) == true else { continue }
          self?.state.withLock { if $0.id == id { $0.until = until } }
        }
      }
    }
  }

  /// Leaves it to end by itself, without a request: it has no key, or has vanished.
  func abandon() { _ = taken() }

  /// Ends it, and with it every lock that was not freed; an error does no harm, as it ends by itself.
  func end() async {
    if let id = taken() { try? await store.revoke(id) }
  }

  private func taken() -> Int64? {
    state.withLock { state in
      state.keepingAlive?.cancel()
      defer { state = State() }
      return state.id
    }
  }

  /// Longer than an exchange with the authorization server, which is at most 30 seconds, and shorter than
  /// the 60 seconds that others wait, so that they get the lock of a process that was killed.
  static let life: Int64 = 40
}

/// Compares this machine's clock with the `Date` of the nodes of a cluster.
///
/// A difference counts only if most of the nodes that the profile names agree on it: one node that lies must not make
/// an expired token valid, neither here nor, by what is written, on other machines.
final class NodeClock: Sendable {
  private struct State {
    var behind: Int64 = 0
    /// What each node said last.
    var differences: [Int: Int64] = [:]
  }

  private let count: Int
  private let now: @Sendable () -> Timestamp
  private let state = Mutex(State())

  init(of count: Int, now: @escaping @Sendable () -> Timestamp) {
    (self.count, self.now) = (count, now)
  }

  /// By how many seconds this machine is behind; 0 if the clocks agree, or most nodes do not.
  var behind: Int64 { state.withLock { $0.behind } }

  /// Reads the time of a response.
  func see(_ response: HTTPResponse, from node: Int) {
    guard let date = response.fields["Date"].flatMap(HTTPDate.read) else { return }
    let difference = date.seconds(since: now())
    state.withLock { $0.differences[node] = difference }
  }

  /// Whether the time of a node is not what is assumed, so that all must be asked.
  func isNews(from node: Int) -> Bool {
    state.withLock { state in
      guard let difference = state.differences[node] else { return false }
      return Self.differ(difference, state.behind)
    }
  }

  /// Forgets what the nodes said, before all are asked: this machine's clock may have been set since.
  func begin() { state.withLock { $0.differences = [:] } }

  /// Takes what most nodes agree on.
  func settle() {
    state.withLock { $0.behind = Self.agreed(Array($0.differences.values), of: count) }
  }

  /// The difference on which most of `count` nodes agree; 0 if there is none, or the clocks agree.
  static func agreed(_ differences: [Int64], of count: Int) -> Int64 {
    let (sorted, majority) = (differences.sorted(), count / 2 + 1)
    guard sorted.count >= majority else { return 0 }
    for start in 0...(sorted.count - majority) {
      let group = sorted[start..<(start + majority)]
      if let first = group.first, let last = group.last, !differ(first, last) {
        let middle = sorted[start + majority / 2]
        return differ(middle, 0) ? middle : 0
      }
    }
    return 0
  }

  /// Whether two differences are more seconds apart than checks of tokens accept.
  private static func differ(_ one: Int64, _ other: Int64) -> Bool {
    one.subtractingClamped(other).magnitude > 60
  }
}
