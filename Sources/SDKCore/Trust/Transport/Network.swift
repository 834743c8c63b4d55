import Curl
package import HTTP
import OpenSSL
package import Pinning
package import Primitives

/// How a session connects to servers: by libcurl, or in tests by a script.
package struct Network: Sendable {
  let makeTransport: @Sendable (TransportSettings, ConnectionOptions) -> any Transport
  let makeHandshakes: @Sendable (TransportSettings, ConnectionOptions) -> Handshakes
  package let version: @Sendable () throws(SDKError) -> String

  package static let curl = Network(
    makeTransport: { CurlTransport($0.configuration($1)) },
    makeHandshakes: { Handshakes.curl($0, $1) },
    version: { () throws(SDKError) in try NetworkLibrary.version() })
}

/// Handshakes of a session, after which no request is sent.
package struct Handshakes: Sendable {
  /// Makes a handshake without the pins and returns the certificates of the server.
  package typealias Probe =
    @Sendable (PinEndpoint) async throws(TransportError) -> PresentedChain
  package typealias Verify = @Sendable (HTTPURL) async throws(TransportError) -> TransferMetrics?

  /// Returns the addresses to which a connection can be made.
  package typealias Addresses =
    @Sendable (PinEndpoint) async throws(TransportError) -> [IPAddress]

  let probe: Probe
  var verify: Verify = { _ in nil }
  var addresses: Addresses = { (endpoint) throws(TransportError) in
    IPAddress(endpoint.host).map { [$0] } ?? []
  }

  static func curl(_ settings: TransportSettings, _ options: ConnectionOptions) -> Handshakes {
    // One transport for all handshakes: one thread, and the file of authorities is read once.
    let transport = LazyValue { CurlTransport(settings.configuration(options)) }
    let known = KnownCertificates()
    return Handshakes(
      probe: { (endpoint) async throws(TransportError) in
        let chain = try await transport.value.probe(
          host: endpoint.host, port: endpoint.port, address: endpoint.address)
        return PresentedChain(
          served: chain.served.map(known.details), validated: chain.validated.map(known.details),
          verificationError: chain.verificationError, lacksAuthority: chain.lacksAuthority,
          revocation: chain.revocation, metrics: chain.metrics)
      },
      verify: { (url) async throws(TransportError) in try await transport.value.verify(url) },
      addresses: { (endpoint) async throws(TransportError) in
        try await transport.value.addresses(of: endpoint.host, endpoint.port).addresses
      })
  }
}

extension ServedChain {
  /// What the response that the server has stapled says, verified by the path that was validated.
  fileprivate var revocation: StapledStatus? {
    guard !validated.isEmpty else { return nil }
    guard let staple else { return StapledStatus(.none) }
    return StapledStatus(RevocationStatus(staple, of: validated))
  }
}

/// The libraries that send requests, loaded on first use.
enum NetworkLibrary {
  /// `libcurl/8.5.0 OpenSSL/3.0.13 …`.
  ///
  /// - Throws: ``SDKError/Code/unavailable`` when libcurl is missing or unsuitable.
  static func version() throws(SDKError) -> String {
    try attempt("could not load libcurl") { try CurlTransport.libraryVersion() }
  }
}

/// Makes the transport for the first request: a session without any loads no network library.
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
