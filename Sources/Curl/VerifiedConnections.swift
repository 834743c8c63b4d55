import Synchronization

/// The QUIC connections of a transport whose chain was accepted, by libcurl's numbers.
///
/// A later request uses the connection without a handshake.
final class VerifiedConnections: Sendable {
  private let numbers = Mutex<Set<Int64>>([])

  func contains(_ number: Int64) -> Bool { numbers.withLock { $0.contains(number) } }

  func insert(_ number: Int64) { _ = numbers.withLock { $0.insert(number) } }
}
