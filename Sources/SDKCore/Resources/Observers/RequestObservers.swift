import HTTP
import Synchronization

/// The observers of a session's resource requests.
final class RequestObservers: Sendable {
  private let list = Mutex<[any RequestObserver]>([])

  /// The observers, in the order in which they were registered.
  var all: [any RequestObserver] { list.withLock { $0 } }

  /// Adds an observer, once; of observers of identities the last one stays.
  func register(_ observer: any RequestObserver) {
    list.withLock { list in
      guard !list.contains(where: { $0 === observer }) else { return }
      if observer is IdentityObserver { list.removeAll { $0 is IdentityObserver } }
      list.append(observer)
    }
  }

  /// Removes an observer.
  func unregister(_ observer: any RequestObserver) {
    list.withLock { list in list.removeAll { $0 === observer } }
  }
}

extension ResourceService {
  /// Calls an observer for all requests that begin from now on.
  ///
  /// The session holds the observer until it is removed.
  public func register(_ observer: any RequestObserver) {
    observers.register(observer)
  }

  /// No longer calls an observer, except for requests that are under way.
  public func unregister(_ observer: any RequestObserver) {
    observers.unregister(observer)
  }
}
