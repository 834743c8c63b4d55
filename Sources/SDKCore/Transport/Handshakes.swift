import Curl
package import HTTP

/// Handshakes of a session, after which no request is sent.
package struct Handshakes: Sendable {
  /// Makes a handshake without the pins and returns the certificates of the server.
  package typealias Probe =
    @Sendable (String, UInt16) async throws(TransportError) -> PresentedChain
  /// Makes a handshake with all checks of a request, pins included.
  package typealias Verify = @Sendable (HTTPURL) async throws(TransportError) -> TransferMetrics?

  package let probe: Probe
  package let verify: Verify

  package init(probe: @escaping Probe, verify: @escaping Verify = { _ in nil }) {
    self.probe = probe
    self.verify = verify
  }

  /// Handshakes by libcurl.
  static func curl(_ settings: TransportSettings, _ options: ConnectionOptions) -> Handshakes {
    // One transport for all handshakes: one thread, and the file of authorities is read once.
    let transport = LazyValue { CurlTransport(settings.configuration(options)) }
    let summaries = CertificateSummaries()
    return Handshakes(
      probe: { (host, port) async throws(TransportError) in
        PresentedChain(
          try await transport.value.probe(host: host, port: port), by: summaries)
      },
      verify: { (url) async throws(TransportError) in try await transport.value.verify(url) })
  }
}
