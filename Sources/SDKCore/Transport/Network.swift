import Curl
package import HTTP

/// How a session connects to servers: by libcurl, or in tests by a script.
package struct Network: Sendable {
  /// Makes the transport of a session.
  package typealias MakeTransport =
    @Sendable (TransportSettings, SessionOptions) -> any Transport
  /// Makes the handshakes of a session after which no request is sent.
  package typealias MakeHandshakes = @Sendable (TransportSettings, SessionOptions) -> Handshakes

  package let makeTransport: MakeTransport
  package let makeHandshakes: MakeHandshakes
  /// The versions of the network libraries.
  package let version: @Sendable () throws(SDKError) -> String
  /// Why requests cannot be sent over HTTP/3; `nil` if they can.
  package let http3Refusal: @Sendable () throws(SDKError) -> String?

  package init(
    makeTransport: @escaping MakeTransport, makeHandshakes: @escaping MakeHandshakes,
    version: @escaping @Sendable () throws(SDKError) -> String,
    http3Refusal: @escaping @Sendable () throws(SDKError) -> String? = { () throws(SDKError) in nil
    }
  ) {
    self.makeTransport = makeTransport
    self.makeHandshakes = makeHandshakes
    self.version = version
    self.http3Refusal = http3Refusal
  }

  package static let curl = Network(
    makeTransport: { CurlTransport($0.configuration($1)) },
    makeHandshakes: { Handshakes.curl($0, $1) },
    version: { () throws(SDKError) in try NetworkLibrary.version() },
    http3Refusal: { () throws(SDKError) in try NetworkLibrary.http3Refusal() })
}
