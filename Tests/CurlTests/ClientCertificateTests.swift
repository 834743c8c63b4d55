import Foundation
import OpenSSL
import Pinning
import TestSupport

@testable import Curl

@Suite struct ClientCertificateTests {
  @Test(arguments: ["TLSv1_2", "TLSv1_3"])
  func itIsShownToWhoWantsIt(version: String) async throws {
    let server = try LoopbackServer(only: version, asksForIdentity: true)
    let response = try await transport().send(
      request(try url(server, "hello"), showing: try identity("client")))
    #expect(response.status == 200)
    let error = try await transport().failure(
      of: request(try url(server, "garbage"), showing: try identity("client")))
    #expect(error.certificateRefusal == nil)
  }

  @Test(arguments: ["TLSv1_2", "TLSv1_3"])
  func aRefusedOneIsItsOwnFailure(version: String) async throws {
    let server = try LoopbackServer(only: version, asksForIdentity: true)
    let error = try await transport().failure(
      of: request(try url(server, "hello"), showing: try identity("untrusted")))
    #expect(error.code == .clientCertificateRequired)
    let message = "the server refused the client certificate"
    let cause = try #require(ClientCertificateRefusal(.alert(48)).cause)
    // Whether the alert of TLS 1.3 comes through before the connection breaks is not ours to say.
    #expect(
      error.message == "\(message): \(cause)" || version == "TLSv1_3" && error.message == message)
  }

  /// nginx asks everybody, so that only the right certificate on the right connection passes.
  @Test(.enabled(if: Program.isExpected("nginx"), "nginx is missing"))
  func aConnectionServesOneCertificateOnly() async throws {
    let server = try SpawnedServer.nginx(asksForIdentity: true)
    let transport = try transport()
    let address = try server.url
    let (first, second) = (try identity("client"), try identity("second"))
    let order = [nil, first, nil, second, first, second, nil, first]
    var seen: [(connection: String, certificate: String)] = []
    for identity in order {
      let response = try await transport.send(request(address, showing: identity))
      let words = String(decoding: response.body, as: UTF8.self).split(separator: " ")
      #expect(words[2] == ".", "a session was resumed")
      seen.append((String(words[0]), String(words[1].dropFirst())))
    }
    let serials = try [nil, "client.pem", "second.pem"].map { file in
      try file.map { try #require(folder().certificates($0).first).serial } ?? ""
    }
    #expect(seen.map(\.certificate) == [0, 1, 0, 2, 1, 2, 0, 1].map { serials[$0] })
    // How many connections there were is a matter of time: nginx ends idle ones.
    let certificates = Dictionary(grouping: seen, by: \.connection).mapValues {
      Set($0.map(\.certificate))
    }
    #expect(certificates.values.allSatisfy { $0.count == 1 })
  }

  /// One whose key is in a security token too: libcurl does not know that one.
  @Test func eachCertificateHasConnectionsOfItsOwn() throws {
    let transport = try transport()
    let chains = try ["client", "second"].map { try bytes("\($0)-chain.pem") }
    let certificates =
      [nil]
      + chains.map { ClientCertificate(chain: $0, key: .securityToken(uri: "pkcs11:token=t")) }
    let loops = try certificates.map { try transport.loops.take($0?.chain) }
    #expect(Set(loops.map(ObjectIdentifier.init)).count == 3)
    for (certificate, loop) in zip(certificates, loops) {
      #expect(try transport.loops.take(certificate?.chain) === loop)
    }
  }

  @Test func ofManyCertificatesTheLastOnesAndThoseInUseStay() throws {
    let loops = try transport().loops
    let count = 8
    let used = try loops.take([0])
    _ = try loops.take(nil)
    loops.giveBack(nil)
    for index in 1...UInt8(count + 5) {
      _ = try loops.take([index])
      loops.giveBack([index])
    }
    let last = (6...UInt8(count + 5)).map { [$0] }
    #expect(loops.chains == Set([nil, [0]] + last))
    #expect(try loops.take([0]) === used)
    loops.stop()
  }

  @Test func requestsWithTheSameCertificateShareAConnection() async throws {
    let server = try LoopbackServer(asksForIdentity: true)
    let transport = try transport()
    var connections = 0
    for _ in 0..<10 {
      connections += try await transport.send(
        request(try url(server, "hello"), showing: try identity("client"))
      ).metrics.connections
    }
    #expect(connections == 1)
  }

  @Test(.enabled(if: Program.isExpected("nginx"), "nginx is missing"))
  func manyAtOnceKeepTheirOwn() async throws {
    let server = try SpawnedServer.nginx(asksForIdentity: true)
    let transport = try transport()
    let address = try server.url
    let names = [nil, "client", "second"]
    let identities = try names.map { try $0.map(identity) }
    let serials = try names.map { name in
      try name.map { try #require(folder().certificates("\($0).pem").first).serial } ?? ""
    }
    let pairs = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for index in 0..<60 {
        let sent = request(address, showing: identities[index % 3])
        group.addTask {
          let words = String(decoding: try await transport.send(sent).body, as: UTF8.self)
          return (index % 3, String(words.split(separator: " ")[1].dropFirst()))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(pairs.count == 60)
    #expect(pairs.allSatisfy { $0.1 == serials[$0.0] })
  }

  @Test(arguments: [("client-chain.pem", "second.key"), ("client.key", "client.key")])
  func oneThatDoesNotFitItsKeyIsNotUsed(chain: String, key: String) async throws {
    let server = try LoopbackServer(asksForIdentity: true)
    let certificate = ClientCertificate(chain: try bytes(chain), privateKey: try bytes(key))
    let error = try await transport().failure(
      of: request(try url(server, "hello"), showing: certificate))
    #expect(error.code == .clientCertificateRequired)
    #expect(error.message == "the client certificate and its key could not be used")
  }

  @Test(arguments: ["TLSv1_2", "TLSv1_3"])
  func aHandshakeThatAsksCanBeEnded(version: String) async throws {
    let server = try LoopbackServer(only: version, asksForIdentity: true)
    var request = HTTPRequest(.get, try url(server, "hello"))
    request.stopsForCertificate = true
    let (transport, stopping) = (try transport(), request)
    let error = try await transport.failure(of: stopping)
    #expect(error.code == .clientCertificateRequired)
    #expect(error.certificateRefusal?.kind == .requested)
    // The connection ended in the handshake, before any request.
    let events = try await server.events()
    #expect(!events.contains { $0.hasPrefix("request") })
    request.clientCertificate = try identity("client")
    #expect(try await transport.send(request).status == 200)
  }

  @Test(.enabled(if: Program.isExpected("nginx"), "nginx is missing"))
  func theIssuersThatAServerAcceptsAreKnown() async throws {
    let server = try SpawnedServer.nginx(asksForIdentity: true)
    let address = try server.url
    let first = try transport()
    let response = try await first.send(HTTPRequest(.get, address))
    let request = try #require(response.certificateRequest)
    #expect(request.issuers.count == 1)
    var stopping = HTTPRequest(.get, address)
    stopping.stopsForCertificate = true
    // The connection was made without a certificate, which the server accepts.
    #expect(try await first.send(stopping).status == 200)
    let fresh = (try transport(), stopping)
    let error = try await fresh.0.failure(of: fresh.1)
    #expect(
      error.certificateRefusal == ClientCertificateRefusal(.requested, issuers: request.issuers))
  }

  @Test(arguments: ["TLSv1_2", "TLSv1_3"])
  func aProxyThatAsksGetsNone(version: String) async throws {
    let server = try LoopbackServer(only: version, asksForIdentity: true)
    let proxy = "https://localhost:\(server.port)"
    let transport = try transport(pinning: nil, policy: .report) {
      $0.environment = { Environment(["https_proxy": proxy]) }
    }
    var request = request(try HTTPURL("https://api.test/"), showing: try identity("client"))
    request.stopsForCertificate = true
    let error = try await transport.failure(of: request)
    #expect(error.code != .clientCertificateRequired && error.certificateRefusal == nil)
    // The proxy itself ended the handshake.
    #expect(try await server.events().contains("handshake failed"))
  }

  @Test(arguments: [("untrusted", 48), ("expired", 45)] as [(String, UInt8)])
  func anAlertIsKnownByItsNumber(name: String, alert: UInt8) async throws {
    let server = try LoopbackServer(only: "TLSv1_2", asksForIdentity: true)
    let error = try await transport().failure(
      of: request(try url(server, "hello"), showing: try identity(name)))
    #expect(error.certificateRefusal?.kind == .alert(alert))
  }

  private func request(
    _ url: HTTPURL, showing certificate: ClientCertificate?
  ) -> HTTPRequest {
    var request = HTTPRequest(.get, url)
    request.clientCertificate = certificate
    return request
  }

  private func identity(_ name: String) throws -> ClientCertificate {
    ClientCertificate(chain: try bytes("\(name)-chain.pem"), privateKey: try bytes("\(name).key"))
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder().file(name))))
  }

  private func folder() throws -> CertificateFolder { try CertificateFolder.made() }
}
