import Curl
package import HTTP
import Synchronization

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
  static func curl(_ settings: TransportSettings, _ options: SessionOptions) -> Handshakes {
    let transport = LazyCurl(settings, options)
    let summaries = CertificateSummaries()
    return Handshakes(
      probe: { (host, port) async throws(TransportError) in
        PresentedChain(
          try await transport.value.probe(host: host, port: port), by: summaries)
      },
      verify: { (url) async throws(TransportError) in try await transport.value.verify(url) })
  }
}

/// One transport for all handshakes, made for the first of them.
///
/// It has one thread, and reads a file of authorities once.
private final class LazyCurl: Sendable {
  private let settings: TransportSettings
  private let options: SessionOptions
  private let made = Mutex<CurlTransport?>(nil)

  init(_ settings: TransportSettings, _ options: SessionOptions) {
    self.settings = settings
    self.options = options
  }

  var value: CurlTransport {
    made.withLock { made in
      let transport = made ?? CurlTransport(settings.configuration(options))
      made = transport
      return transport
    }
  }
}
