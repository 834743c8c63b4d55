import OpenSSL
import TestSupport

@testable import Curl

@Suite struct ProbeTests {
  @Test(arguments: ["leaf.pem", "stranger.pem", nil])
  func showsBothChainsWhateverIsPinned(pinned: String?) async throws {
    let server = try LoopbackServer(chain: "padded-chain.pem")
    let chain = try await transport(pinning: pinned).probe(
      host: "localhost", port: UInt16(server.port))
    let folder = try CertificateFolder.made()
    #expect(
      try chain.served.map(\.der)
        == ["leaf.pem", "issuer.pem", "cross.pem", "stranger.pem"].map {
          try #require(try folder.certificates($0).first).der
        })
    #expect(
      try chain.validated.map(\.der)
        == ["leaf.pem", "issuer.pem", "root.pem"].map {
          try #require(try folder.certificates($0).first).der
        })
    #expect(chain.verificationError == nil)
    #expect(!(try await server.events().contains { $0.hasPrefix("request") }))
  }

  @Test(arguments: [
    ("expired", "the certificate expired on 2026-01-01"),
    ("untrusted", RefusalTests.untrusted),
    ("other", "the certificate is for other.example, www.other.example, not localhost"),
    ("nameless", RefusalTests.nameless),
  ])
  func showsWhatWasRefused(chain: String, message: String) async throws {
    let server = try LoopbackServer(chain: "\(chain)-chain.pem")
    let shown = try await transport().probe(host: "localhost", port: UInt16(server.port))
    let folder = try CertificateFolder.made()
    #expect(shown.served.map(\.der) == (try folder.certificates("\(chain)-chain.pem")).map(\.der))
    #expect(shown.validated.isEmpty)
    #expect(shown.verificationError == message)
  }

  /// As Dovecot 2.4 and PostgreSQL 17, which refuse clients that offer the protocols of HTTP.
  @Test func aServerOfAnotherProtocolShowsItsChain() async throws {
    let server = try SpawnedServer.openSSL(alpn: "imap")
    let chain = try await transport().probe(host: "localhost", port: UInt16(server.port))
    #expect(chain.served.count == 2)
    #expect(chain.verificationError == nil)
  }

  @Test func failsWhereNothingListens() async throws {
    let server = try LoopbackServer()
    server.stop()
    let transport = try transport()
    let error = await #expect(throws: TransportError.self) {
      try await transport.probe(host: "localhost", port: UInt16(server.port))
    }
    #expect(error?.code == .connection)
  }

  @Test(arguments: ["a b", "", "user@localhost", "localhost/x"])
  func refusesWhatIsNoHost(host: String) async throws {
    let transport = try transport()
    let error = await #expect(throws: TransportError.self) { try await transport.probe(host: host) }
    #expect(error?.code == .refused)
  }

  @Test func aProbeUsesNoConnectionOfAnother() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    _ = try await transport.send(HTTPRequest(.get, try url(server, "hello")))
    let chain = try await transport.probe(host: "localhost", port: UInt16(server.port))
    #expect(!chain.served.isEmpty)
    _ = try await transport.send(HTTPRequest(.get, try url(server, "last")))
    let events = try await server.events(untilClosed: 2)
    #expect(events.count(where: { $0 == "accepted" }) == 2)
    #expect(events.count(where: { $0.hasPrefix("handshake TLS") }) == 2)
  }

  @Test func aProbeLeavesNoConnectionBehind() async throws {
    let server = try LoopbackServer()
    let transport = try transport(pinning: "stranger.pem")
    _ = try await transport.probe(host: "localhost", port: UInt16(server.port))
    let error = try await transport.failure(of: HTTPRequest(.get, try url(server, "hello")))
    #expect(error.code == .pinMismatch)
    #expect(!(try await server.events(untilClosed: 2).contains { $0.hasPrefix("request") }))
  }
}
