import Pinning
import Synchronization

/// Finds the pins of servers, and caches those of the last one: many requests go to the same server.
///
/// The pins of a transport never change; whether they have expired is decided for each request.
final class PinLookup: Sendable {
  private struct Server: Sendable {
    let host: String
    let port: UInt16
    let set: PinSet?
  }

  private let sets: PinSets
  private let last = Mutex<Server?>(nil)

  init(_ sets: PinSets) { self.sets = sets }

  /// The pins of a server, expired or not; `nil` if it has none.
  func set(for host: String, port: UInt16) -> PinSet? {
    last.withLock { last in
      if let last, last.port == port, last.host == host { return last.set }
      let set = sets.set(for: host, port: port)
      last = Server(host: host, port: port, set: set)
      return set
    }
  }
}
