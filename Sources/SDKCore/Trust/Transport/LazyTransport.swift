import HTTP
import Synchronization

/// Makes the transport for the first request, and uses it for all requests of a session.
///
/// A session without requests does not load the network library.
final class LazyTransport: Transport {
  private let transport: LazyValue<any Transport>

  init(_ make: @escaping @Sendable () -> any Transport) { transport = LazyValue(make) }

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    try await transport.value.send(request, receiving: body)
  }

  func refusal(of url: HTTPURL) -> TransportError? { transport.value.refusal(of: url) }
}

/// A value that is made when it is first used.
final class LazyValue<Value: Sendable>: Sendable {
  private let make: @Sendable () -> Value
  private let made = Mutex<Value?>(nil)

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value {
    made.withLock { made in
      let value = made ?? make()
      made = value
      return value
    }
  }
}
