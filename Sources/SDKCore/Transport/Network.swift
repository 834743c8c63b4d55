import Curl
package import HTTP

/// How a session reaches servers: by libcurl, or in tests by a script.
package struct Network: Sendable {
  /// Sends the requests of a session.
  package typealias MakeTransport =
    @Sendable (TransportSettings, SessionOptions) -> any Transport
  /// Makes a handshake with a host and a port, and returns the chain.
  package typealias Probe =
    @Sendable (TransportSettings, SessionOptions, String, UInt16) async throws(TransportError) ->
    PresentedChain

  package let makeTransport: MakeTransport
  package let probe: Probe
  /// The versions of the libraries that carry the network.
  package let version: @Sendable () throws(SDKError) -> String

  package init(
    makeTransport: @escaping MakeTransport, probe: @escaping Probe,
    version: @escaping @Sendable () throws(SDKError) -> String
  ) {
    self.makeTransport = makeTransport
    self.probe = probe
    self.version = version
  }

  package static let curl = Network(
    makeTransport: { CurlTransport($0.configuration($1)) },
    probe: { (settings, options, host, port) async throws(TransportError) in
      let transport = CurlTransport(settings.configuration(options))
      return PresentedChain(try await transport.probe(host: host, port: port))
    },
    version: { () throws(SDKError) in try NetworkLibrary.version() })
}
