import TestSupport

@testable import Curl

@Suite struct RefusalTests {
  /// A certificate for `localhost` by its common name only.
  static let nameless = "the certificate has no subject alternative name of a host (RFC 9525)"

  /// Of an authority that is not trusted, whose certificate was not sent.
  static let untrusted =
    "the certificate's issuer is not trusted, and the server did not send the certificate of CN=Test Stranger"

  @Test(arguments: [
    ("expired", "localhost", "the certificate expired on 2026-01-01"),
    ("future", "localhost", "the certificate is not valid before 2098-01-01"),
    ("untrusted", "localhost", Self.untrusted),
    (
      "other", "localhost", "the certificate is for other.example, www.other.example, not localhost"
    ),
    ("nameless", "localhost", Self.nameless), ("mail", "localhost", Self.nameless),
    ("address", "127.0.0.1", "the certificate is not for 127.0.0.1 as an IP address"),
  ])
  func aBadCertificateIsNamed(chain: String, host: String, message: String) async throws {
    let server = try LoopbackServer(chain: "\(chain)-chain.pem")
    let address = try url(server, "hello", host: host)
    let transport = try transport(pinning: "\(chain).pem", host: host)
    let error = try await transport.failure(of: HTTPRequest(.get, address))
    let verified = await #expect(throws: TransportError.self) {
      try await transport.verify(address)
    }
    #expect(verified?.message == message)
    #expect(error.code == .tls)
    #expect(error.message == message)
    #expect(error.host == host)
    // Only where nobody vouches for the chain does it matter who was asked.
    #expect(error.details.count == (chain == "untrusted" ? 1 : 0))
    #expect(error.details.allSatisfy { $0.hasPrefix("authorities consulted: /") })
    #expect(!(try await server.events().contains { $0.hasPrefix("request") }))
  }

  @Test func anAddressNeedsToBeInTheCertificate() async throws {
    let server = try LoopbackServer()
    let other = try LoopbackServer(chain: "other-chain.pem")
    let transport = try transport(pinning: "issuer.pem", host: "127.0.0.1")
    let response = try await transport.send(
      HTTPRequest(.get, try url(server, "hello", host: "127.0.0.1")))
    #expect(response.status == 200)
    let error = try await transport.failure(
      of: HTTPRequest(.get, url(other, "hello", host: "127.0.0.1")))
    #expect(error.message.hasSuffix("not 127.0.0.1"))
  }

  @Test func olderTLSIsRefused() async throws {
    let server = try LoopbackServer(only: "TLSv1_1")
    let error = try await transport().failure(of: HTTPRequest(.get, try url(server, "hello")))
    #expect(error.code == .tls)
    #expect(error.message == "localhost:\(server.port) does not speak TLS 1.2 or newer")
  }

  @Test(arguments: ["TLSv1_2", "TLSv1_3"])
  func aWantedIdentityIsItsOwnFailure(version: String) async throws {
    let server = try LoopbackServer(only: version, asksForIdentity: true)
    let error = try await transport().failure(of: HTTPRequest(.get, try url(server, "hello")))
    #expect(error.code == .clientCertificateRequired)
    #expect(error.message == "the server requires a client certificate")
    #expect(try await transport().verify(try url(server, "")) != nil)
    let other = try LoopbackServer(chain: "other-chain.pem", only: version, asksForIdentity: true)
    let transport = try transport(pinning: "other.pem")
    let mismatch = await #expect(throws: TransportError.self) {
      try await transport.verify(try url(other, ""))
    }
    #expect(mismatch?.message.hasSuffix(", not localhost") == true)
  }

  @Test func whatLibcurlDoesNotTakeEndsTheRequest() async throws {
    let server = try LoopbackServer()
    let transport = try transport { $0.userAgent = String(repeating: "a", count: 8_000_001) }
    let error = try await transport.failure(of: HTTPRequest(.get, try url(server, "hello")))
    #expect(error.code == .unavailable)
  }

  @Test(arguments: [
    ("http://example.com/", true, "http is not allowed to another machine"),
    (
      "http://127.0.0.1:9/", false,
      "http is not allowed, not even to this machine, unless insecureLoopback is set"
    ),
  ])
  func plainHTTPIsRefused(text: String, allowed: Bool, message: String) async throws {
    let transport = try transport { $0.insecureLoopback = allowed }
    let error = try await transport.failure(of: HTTPRequest(.get, try HTTPURL(text)))
    #expect(error.code == .refused)
    #expect(error.message == message)
  }

  @Test func plainHTTPToThisMachineMayBeAllowed() async throws {
    let server = try LoopbackServer(chain: nil)
    let transport = try transport(pinning: nil) { $0.insecureLoopback = true }
    let response = try await transport.send(
      HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(server.port)/hello")))
    #expect(response.status == 200)
  }

  @Test func plainHTTPIsNotLedElsewhere() async throws {
    let server = try LoopbackServer(chain: nil)
    let rule = try #require(ConnectionOverride("::localhost:1"))
    let transport = try transport(pinning: nil) {
      $0.insecureLoopback = true
      $0.connectTo = [rule]
    }
    let response = try await transport.send(
      HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(server.port)/hello")))
    #expect(response.status == 200)
  }

  @Test func aPortWithoutTLSIsNamed() async throws {
    let server = try LoopbackServer(chain: nil)
    let error = try await transport().failure(of: HTTPRequest(.get, try url(server, "hello")))
    #expect(error.code == .tls)
    #expect(error.message == "localhost:\(server.port) does not speak TLS")
    let transport = try transport()
    let probed = await #expect(throws: TransportError.self) {
      try await transport.probe(host: "localhost", port: UInt16(server.port))
    }
    #expect(probed?.message == error.message)
  }

  @Test(
    arguments: [
      ("nowhere.pem", nil, "nowhere.pem cannot be used: no such file or directory"),
      (nil, "/nowhere/b.pem", "/nowhere/b.pem cannot be used: no such file or directory"),
      ("leaf.key", nil, "leaf.key cannot be used: it has no certificate in PEM"),
      // OpenSSL, which reads the file for libcurl, finds nothing in it.
      ("indented.pem", nil, "indented.pem cannot be used: no line of it begins with '-----BEGIN'"),
      (
        "damaged.pem", nil,
        "damaged.pem cannot be used: its block at line 2, number 1, is damaged: "
      ),
      (
        "root.pem", "damaged.pem",
        "damaged.pem cannot be used: its block at line 2, number 1, is damaged: "
      ),
    ] as [(String?, String?, String)])
  func aCAFileThatCannotBeUsedIsNamedWithItsFault(
    own: String?, extra: String?, fault: String
  ) async throws {
    let server = try LoopbackServer()
    let folder = try CertificateFolder.made()
    let transport = try transport {
      $0.caFile = own.map(folder.file)
      $0.extraCAFile = extra.map { $0.hasPrefix("/") ? $0 : folder.file($0) }
    }
    let error = try await transport.failure(of: HTTPRequest(.get, try url(server, "hello")))
    #expect(error.code == .caFile)
    #expect(error.message.hasPrefix("the CA file /"))
    #expect(error.message.contains("/" + fault.drop { $0 == "/" }), "\(error.message)")
    await #expect(throws: TransportError.self) {
      try await transport.probe(host: "localhost", port: UInt16(server.port))
    }
  }
}
