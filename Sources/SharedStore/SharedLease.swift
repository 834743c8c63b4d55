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
  private let state = Mutex(State())

  init(of store: any KeyValueStore) { self.store = store }

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
    state.withLock { [store] state in
      guard let id = state.id, state.keepingAlive == nil else { return }
      state.keepingAlive = Task.detached { [weak self] in
        while (try? await Task.sleep(for: .seconds(Self.life / 4))) != nil {
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
