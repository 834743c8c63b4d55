import Curl
package import HTTP

/// How a session connects to servers: by libcurl, or in tests by a script.
package struct Network: Sendable {
  /// Makes the transport of a session.
  package typealias MakeTransport =
    @Sendable (TransportSettings, ConnectionOptions) -> any Transport
  /// Makes the handshakes of a session after which no request is sent.
  package typealias MakeHandshakes = @Sendable (TransportSettings, ConnectionOptions) -> Handshakes

  package let makeTransport: MakeTransport
  package let makeHandshakes: MakeHandshakes
  /// The versions of the network libraries.
  package let version: @Sendable () throws(SDKError) -> String

  package init(
    makeTransport: @escaping MakeTransport, makeHandshakes: @escaping MakeHandshakes,
    version: @escaping @Sendable () throws(SDKError) -> String
  ) {
    self.makeTransport = makeTransport
    self.makeHandshakes = makeHandshakes
    self.version = version
  }

  package static let curl = Network(
    makeTransport: { CurlTransport($0.configuration($1)) },
    makeHandshakes: { Handshakes.curl($0, $1) },
    version: { () throws(SDKError) in try NetworkLibrary.version() })
}
