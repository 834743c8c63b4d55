import HTTP
import Synchronization

/// Makes the transport when the first request needs it, and then keeps it.
///
/// So all requests of a session share connections, and a session that makes none
/// never loads the network library.
final class LazyTransport: Transport {
  private let make: @Sendable () -> any Transport
  private let made = Mutex<(any Transport)?>(nil)

  init(_ make: @escaping @Sendable () -> any Transport) { self.make = make }

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    let transport = made.withLock { made in
      let transport = made ?? make()
      made = transport
      return transport
    }
    return try await transport.send(request, receiving: body)
  }
}
