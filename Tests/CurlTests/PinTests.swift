import Pinning
import TestSupport

@testable import Curl

@Suite struct PinTests {
  @Test(arguments: ["leaf.pem", "issuer.pem", "root.pem"])
  func anyKeyOfTheValidatedPathMayMatch(file: String) async throws {
    let server = try LoopbackServer()
    let response = try await transport(pinning: file).send(
      HTTPRequest(.get, try url(server, "hello")))
    #expect(response.status == 200)
  }

  @Test(arguments: [
    ("stranger.pem", "leaf-chain.pem"), ("other.pem", "leaf-chain.pem"),
    // Served, and by itself a sound certificate, but no part of the validated path.
    ("stranger.pem", "padded-chain.pem"),
  ])
  func anotherKeyEndsTheHandshakeBeforeTheRequest(file: String, chain: String) async throws {
    let server = try LoopbackServer(chain: chain)
    let request = HTTPRequest(.post, try url(server, "echo"), body: .bytes([1]))
    let error = try await transport(pinning: file).failure(of: request)
    #expect(error.code == .pinMismatch)
    #expect(error.host == request.url.authority)
    #expect(
      error.message
        == "no key of the certificate chain of \(request.url.authority) is pinned")
    #expect(error.details.first == "chain of \(request.url.authority):")
    let folder = try CertificateFolder.made()
    for name in ["leaf.pem", "issuer.pem", "root.pem", file] {
      let pin = "\(try folder.pin(name))"
      #expect(error.details.contains { $0.contains(pin) }, "\(name)")
    }
    #expect(try await server.events() == ["accepted", "handshake failed", "closed"])
  }

  @Test func thePaddedChainIsGoodByItself() async throws {
    let server = try LoopbackServer(chain: "padded-chain.pem")
    let response = try await transport(pinning: "root.pem").send(
      HTTPRequest(.get, try url(server, "hello")))
    #expect(response.status == 200)
  }

  @Test func aHostWithoutPinsIsNotConnectedTo() async throws {
    let server = try LoopbackServer()
    let address = try url(server, "hello")
    let error = try await transport(pinning: nil).failure(of: HTTPRequest(.get, address))
    #expect(error.code == .notPinned)
    #expect(error.message == "no key is pinned for localhost")
    #expect(error.host == address.authority)
    try await expectNoEarlierConnection(to: server)
  }

  @Test func expiredPinsFailClosedWithoutAConnection() async throws {
    let server = try LoopbackServer()
    let error = try await transport(expires: 1_700_000_000).failure(
      of: HTTPRequest(.get, try url(server, "hello")))
    #expect(error.code == .pinsExpired)
    #expect(error.message == "the pins of localhost expired on 2023-11-14")
    try await expectNoEarlierConnection(to: server)
  }

  @Test(
    arguments: [
      ("stranger.pem", nil, 1), ("leaf.pem", nil, 0), (nil, nil, 1), ("stranger.pem", 1, 1),
      ("leaf.pem", 1, 1),
    ] as [(String?, Timestamp?, Int)])
  func underReportTheTransferGoesOn(file: String?, expires: Timestamp?, reports: Int) async throws {
    let server = try LoopbackServer()
    let seen = FakeNotes()
    let transport = try transport(pinning: file, policy: .report, expires: expires) {
      $0.pinReport = { seen.add($0.host) }
    }
    let response = try await transport.send(HTTPRequest(.get, try url(server, "hello")))
    #expect(response.status == 200)
    #expect(seen.all == Array(repeating: "localhost", count: reports))
  }

  @Test(arguments: [(PinPolicy.report, PinPolicy.enforce, true), (.enforce, .report, false)])
  func thePolicyOfASetOverridesThatOfTheProfile(
    own: PinPolicy, policy: PinPolicy, isAccepted: Bool
  ) async throws {
    let server = try LoopbackServer()
    let transport = try transport(pinning: "stranger.pem", policy: policy) { configuration in
      configuration.pins = PinSets(
        configuration.pins.sets.map { set in
          var set = set
          set.policy = own
          return set
        })
    }
    let request = HTTPRequest(.get, try url(server, "hello"))
    #expect(((try? await transport.send(request)) != nil) == isAccepted)
  }

  /// Only a proxy that speaks TLS may be who the handshake is with, and there is none.
  @Test func aHandshakeUnderAnotherNameIsCheckedToo() async throws {
    let server = try LoopbackServer()
    let folder = try CertificateFolder.made()
    let set = try #require(
      PinSet(
        host: "elsewhere.test", expires: nil,
        keys: [PinnedKey(pin: try folder.pin("stranger.pem"), role: .leaf)]))
    var configuration = TransportConfiguration(
      pins: PinSets([set]), userAgent: "tests/1", now: { testTime })
    configuration.caFile = folder.file("root.pem")
    let transfer = Transfer(
      HTTPRequest(.get, try url(server, "hello")), receiver: .collect(limit: 100),
      check: HandshakeCheck(
        host: "elsewhere.test", rule: .pins(PinRule("elsewhere.test", 443, in: configuration))),
      configuration: configuration,
      connectsOnly: false)
    let loop = try TransferLoop.started()
    let result = await loop.run(transfer)
    loop.stop()
    let error = #expect(throws: TransportError.self) { try result.get() }
    #expect(error?.code == .pinMismatch)
    #expect(!(try await server.events().contains { $0.hasPrefix("request") }))
  }

  @Test func aMatchingPinDoesNotReplaceTheChainCheck() async throws {
    let server = try LoopbackServer(chain: "untrusted-chain.pem")
    let error = try await transport(pinning: "untrusted.pem").failure(
      of: HTTPRequest(.get, try url(server, "hello")))
    #expect(error.code == .tls)
    #expect(try await server.events() == ["accepted", "handshake failed", "closed"])
  }

  /// The first connection that the server sees is the one made here.
  private func expectNoEarlierConnection(to server: LoopbackServer) async throws {
    let other = try transport()
    _ = try await other.send(HTTPRequest(.get, try url(server, "last")))
    let events = try await server.events()
    #expect(events.first == "accepted")
    #expect(events.count(where: { $0 == "accepted" }) == 1)
    #expect(events.contains("request GET /last HTTP/1.1"))
  }
}
