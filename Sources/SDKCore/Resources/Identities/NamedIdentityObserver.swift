import HTTP
import Synchronization

/// Shows one identity that the caller chose, to the server that a request is for.
///
/// If the server refuses it, the request fails; nothing is deleted or obtained.
final class NamedIdentityObserver: RequestObserver {
  private let name: IdentityName
  private let store: IdentityStore
  /// The identity with its key, once it was needed.
  private let opened = Mutex<Identity?>(nil)

  init(_ name: IdentityName, in store: IdentityStore) {
    self.name = name
    self.store = store
  }

  func willSend(_ request: inout ObservedRequest) async throws(SDKError) {
    guard request.isAtOrigin, request.url.scheme == .https else { return }
    request.show(try await identity())
  }

  private func identity() async throws(SDKError) -> Identity {
    if let identity = opened.withLock({ $0 }) { return identity }
    let identity = try await store.unsealed(try store.identity(named: name))
    opened.withLock { $0 = identity }
    return identity
  }
}
