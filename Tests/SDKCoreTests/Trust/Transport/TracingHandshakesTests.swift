import CoreTestSupport
import Trace

@testable import SDKCore

@Suite("A trace of handshakes without a request")
struct TracingHandshakesTests {
  private static let certificate = CertificateDetails(
    subject: "CN=a.test", issuer: "CN=root", notBefore: 0, notAfter: 1_900_000_000,
    pin: Pin(key: [1]))

  private static var metrics: TransferMetrics {
    var metrics = TransferMetrics()
    metrics.remote = TransferMetrics.Endpoint(address: "192.0.2.1", port: 443)
    metrics.connections = 1
    metrics.tls = "TLSv1.3"
    metrics.cipher = "TLS_AES_128_GCM_SHA256"
    metrics.alpn = "h2"
    metrics.handshake = .milliseconds(5)
    metrics.total = .milliseconds(6)
    return metrics
  }

  private static let times = "* name 0 ms, connect 0 ms, TLS 5 ms, first byte 0 ms, total 6 ms"

  private static func pins(_ spki: UInt8) throws -> PinSets {
    PinSets([
      try #require(
        PinSet(host: "a.test", keys: [PinnedKey(pin: Pin(key: [spki]), role: .leaf)]))
    ])
  }

  /// What the trace of a handshake tells.
  private static func lines(
    _ pins: PinSets = PinSets(), verifies: Bool = false,
    _ result: Result<PresentedChain, TransportError>
  ) async -> [String] {
    let written = Mutex<[String]>([])
    let log = TraceLog({ lines in written.withLock { $0 += lines } }, now: { World.now })
    let handshakes = Handshakes(
      probe: { (_) throws(TransportError) in try result.get() },
      verify: { (_) throws(TransportError) in try result.get().metrics }
    ).traced(by: log, pins, now: { World.now })
    if verifies {
      _ = try? await handshakes.verify(HTTPURL("https://a.test/x?y"))
    } else {
      _ = try? await handshakes.probe(PinEndpoint(host: "a.test"))
    }
    return written.withLock { $0 }
  }

  private static func chain(
    isTrusted: Bool = true, _ metrics: TransferMetrics? = metrics
  ) -> PresentedChain {
    var chain = PresentedChain(
      served: [certificate], validated: isTrusted ? [certificate] : [],
      verificationError: isTrusted ? nil : "it expired")
    chain.metrics = metrics
    return chain
  }

  private static let title = "#1 2027-01-15T08:00:00Z handshake with a.test:443"

  @Test(
    "tells address, protocol, cipher, ALPN, times, certificates and what the pins say",
    arguments: [(UInt8(1), "matched"), (2, "mismatched"), (nil, "unpinned")] as [(UInt8?, String)])
  func success(pinned: UInt8?, verdict: String) async throws {
    let pins = try pinned.map { try Self.pins($0) } ?? PinSets()
    #expect(
      await Self.lines(pins, .success(Self.chain())) == [
        Self.title,
        "* connected to 192.0.2.1 port 443, TLSv1.3, pins \(verdict), TLS_AES_128_GCM_SHA256, "
          + "ALPN h2", Self.times,
        "* validated: CN=a.test, until 2030-03-17T17:46:40Z, \(Pin(key: [1]))", "",
      ])
  }

  @Test("tells why a chain is not trusted, with the certificates that were served")
  func untrusted() async throws {
    #expect(
      await Self.lines(try Self.pins(1), .success(Self.chain(isTrusted: false, nil))) == [
        Self.title, "* served: CN=a.test, until 2030-03-17T17:46:40Z, \(Pin(key: [1]))",
        "* error: it expired", "",
      ])
  }

  @Test("tells why there was no handshake, and how far it came", arguments: [false, true])
  func failure(verifies: Bool) async {
    var error = TransportError(.connection, "the proxy refused", details: ["a detail"])
    var metrics = TransferMetrics()
    metrics.remote = TransferMetrics.Endpoint(address: "192.0.2.9", port: 3128)
    metrics.connections = 1
    error.metrics = metrics
    let place = verifies ? "a.test" : "a.test:443"
    #expect(
      await Self.lines(verifies: verifies, .failure(error)) == [
        "#1 2027-01-15T08:00:00Z handshake with \(place)",
        "* connected to 192.0.2.9 port 3128",
        "* name 0 ms, connect 0 ms, TLS 0 ms, first byte 0 ms, total 0 ms",
        "* error: the proxy refused", "* a detail", "",
      ])
  }

  @Test("tells nothing of a connection if the name was not found")
  func noConnection() async {
    var error = TransportError(.nameNotResolved, "no such name")
    error.metrics = TransferMetrics()
    #expect(
      await Self.lines(verifies: false, .failure(error)) == [
        Self.title, "* error: no such name", "",
      ])
  }

  @Test("tells of the check of a page's host before a browser opens")
  func verified() async {
    let lines = await Self.lines(verifies: true, .success(Self.chain()))
    #expect(lines.first == "#1 2027-01-15T08:00:00Z handshake with a.test")
    #expect(lines.contains(Self.times))
  }
}
