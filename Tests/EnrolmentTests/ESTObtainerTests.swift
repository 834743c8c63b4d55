import CoreTestSupport

@testable import Enrolment
@testable import SDKCore

@Suite("An EST service")
struct ESTObtainerTests {
  private static let base = "https://est.test/.well-known/est/"

  @Test("that redirects within its origin is followed, with the same method")
  func redirect() async throws {
    let world = try Self.world()
    world.transport.respond(Self.base + "simpleenroll", .redirect(307, to: "/other/simpleenroll"))
    world.transport.respond("https://est.test/other/simpleenroll", .status(403))
    let error = await Self.obtain(world)
    #expect(error?.code == .refused)
    #expect(
      world.transport.sent.suffix(2).map(\.line)
        == ["POST \(Self.base)simpleenroll", "POST https://est.test/other/simpleenroll"])
    #expect(Set(world.transport.sent.suffix(2).map(\.body)).count == 1)
    #expect(world.transport.sent.last?.body.isEmpty == false)
  }

  @Test("that redirects to another origin, or without end, is refused")
  func otherRedirects() async throws {
    let world = try Self.world()
    world.transport.respond(Self.base + "simpleenroll", .redirect(302, to: "https://b.test/x"))
    var error = await Self.obtain(world)
    #expect(error?.code == .policy)
    #expect(
      error?.message.hasSuffix(
        "simpleenroll: it redirects to https://b.test: set identity.url if that is right") == true)
    #expect(!world.transport.sent.contains { $0.url == "https://b.test/x" })
    world.transport.respond(Self.base + "cacerts", .redirect(302, to: Self.base + "cacerts"))
    error = await Self.obtain(world)
    #expect(error?.message.hasSuffix("cacerts: more than 5 redirects") == true)
  }

  @Test(
    "that refuses is named with its operation and the cause",
    arguments: [
      (
        "cacerts", FakeTransport.Response.status(403), SDKError.Code.refused,
        "cacerts: est.test returned 403"
      ),
      ("csrattrs", .status(500), .network, "csrattrs: est.test returned 500"),
      ("simpleenroll", .status(429), .network, "simpleenroll: est.test returned 429"),
      ("simpleenroll", .status(403), .refused, "simpleenroll: est.test returned 403"),
      (
        "simpleenroll",
        FakeTransport.Response(
          status: 401, fields: [HTTPField(known: "WWW-Authenticate", "Digest realm=\"x\"")]),
        .unsupported,
        "simpleenroll: est.test asks for Digest authentication, which is not supported"
      ),
      (
        "simpleenroll",
        FakeTransport.Response(
          status: 401,
          fields: [HTTPField(known: "WWW-Authenticate", "Digest realm=\"x\", Basic realm=\"x\"")]),
        .refused, "simpleenroll: est.test returned 401"
      ),
      (
        "cacerts", .status(200, "<"), .malformedResponse,
        "cacerts: the response of est.test is not base64"
      ),
      (
        "csrattrs", .status(200, "BQA="), .malformedResponse,
        "csrattrs: the server's certificate request attributes are not DER"
      ),
      (
        "simpleenroll", .status(200, "<"), .malformedResponse,
        "simpleenroll: the response of est.test is not base64"
      ),
      (
        "simpleenroll", .other(200, "multipart/mixed; boundary=x", "--x"), .unsupported,
        "simpleenroll: the response has a key that the server made (serverkeygen), which is not "
          + "supported"
      ),
    ])
  func refusals(
    operation: String, response: FakeTransport.Response, code: SDKError.Code, cause: String
  ) async throws {
    let world = try Self.world()
    world.transport.respond(Self.base + operation, response)
    let error = await Self.obtain(world)
    #expect(error?.code == code)
    #expect(error?.message == "could not obtain an identity for 'api.test': \(cause)")
  }

  @Test("that refuses a request says what its csrattrs wanted and did not get")
  func attributes() async throws {
    let world = try Self.world()
    // SEQUENCE { challengePassword, SEQUENCE { rsaEncryption, SET { 1024 } } }
    let attributes = "MB4GCSqGSIb3DQEJBzARBgkqhkiG9w0BAQExBAICBAA="
    world.transport.respond(Self.base + "csrattrs", .status(200, attributes))
    world.transport.respond(Self.base + "simpleenroll", .status(400), .status(500))
    let error = await Self.obtain(world)
    #expect(
      error?.message
        == "could not obtain an identity for 'api.test': simpleenroll: est.test returned "
        + "400; its csrattrs ask for challengePassword, an RSA key of another size, which is not sent"
    )
    #expect(await Self.obtain(world)?.message.hasSuffix("est.test returned 500") == true)
  }

  @Test("without csrattrs has the request made without them", arguments: [400, 403, 404, 405, 501])
  func noAttributes(status: Int) async throws {
    let world = try Self.world()
    world.transport.respond(Self.base + "csrattrs", .status(status, "<"))
    world.transport.respond(Self.base + "simpleenroll", .status(403))
    #expect(
      await Self.obtain(world)?.message.hasSuffix("simpleenroll: est.test returned 403") == true)
  }

  @Test("may send a certificate as it is", arguments: [true, false])
  func bareCertificate(isPEM: Bool) async throws {
    let world = try Self.world()
    let pem = try TestIdentity.make("a", hosts: ["a.test"]).chain.pem
    let digits = pem.split(separator: "\n").dropFirst().dropLast().joined()
    world.transport.respond(
      Self.base + "cacerts",
      isPEM
        ? .other(200, "application/x-pem-file", pem)
        : .other(200, "application/pkix-cert", digits))
    world.transport.respond(Self.base + "simpleenroll", .status(403))
    #expect(
      await Self.obtain(world)?.message.hasSuffix("simpleenroll: est.test returned 403") == true)
  }

  @Test("gets the password of its user, for which a person was asked before a lock was taken")
  func password() async throws {
    let held = Mutex<[Int]>([])
    let world = try Self.world(["identity.user": "alice"]) { (_) throws(SDKError) in
      held.withLock { $0.append(LockOrder.held.count) }
      return "p"
    }
    world.transport.respond(Self.base + "simpleenroll", .status(403))
    let session = try world.session()
    for _ in 1...2 {
      _ = try? await session.identities.obtain(try IdentityRequest(for: "api.test"))
    }
    #expect(held.withLock { $0 } == [0, 0])
    #expect(world.transport.sent.last?.fields["Authorization"] == "Basic YWxpY2U6cA==")
  }

  @Test("is asked for a certificate in the name of its user, whatever characters it has")
  func user() async throws {
    let world = try Self.world(["identity.user": #"DOM\alice+x, jr"#]) { (_) throws(SDKError) in "p"
    }
    world.transport.respond(Self.base + "simpleenroll", .status(403))
    _ = await Self.obtain(world)
    let body = try #require(world.transport.sent.last?.body)
    let request = try CertificateRequest(der: try #require(Base64.decode(body.utf8)))
    #expect(request.subject == #"CN=DOM\\alice\+x\, jr"#)
  }

  /// Everything is refused as a host without pins.
  private struct Unpinned: Transport {
    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse { throw TransportError(.notPinned, "no pins") }

    func refusal(of url: HTTPURL) -> TransportError? { TransportError(.notPinned, "no pins") }
  }

  @Test(
    "gets the password also where only a client may read, but no other request has it",
    arguments: ["cacerts", "csrattrs"])
  func passwordToRead(operation: String) async throws {
    let asked = Mutex(0)
    let world = try Self.world(["identity.user": "alice"]) { (_) throws(SDKError) in
      asked.withLock { $0 += 1 }
      return "p"
    }
    let read = operation == "cacerts" ? RetryAfterTests.authorities : ""
    world.transport.respond(Self.base + operation, .status(401), .status(200, read))
    world.transport.respond(Self.base + "simpleenroll", .status(403))
    let session = try world.session()
    _ = try? await session.identities.obtain(try IdentityRequest(for: "api.test"))
    let shown = world.transport.sent.filter { $0.fields["Authorization"] != nil }.map(\.line)
    #expect(shown == ["GET \(Self.base)\(operation)", "POST \(Self.base)simpleenroll"])
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("without pins is refused before anybody is asked")
  func unpinned() async throws {
    let world = try Self.world(["identity.user": "alice"]) { (_) throws(SDKError) in
      Issue.record("a person was asked")
      return "p"
    }
    var identity = try TestIdentity.make("a", hosts: ["a.test"], origin: .obtained(by: "est"))
    identity.key = try await identity.key.sealed(with: Array("p".utf8))
    try await world.identities().save(identity)
    let session = try world.session(transport: Unpinned())
    let error = await #expect(throws: SDKError.self) {
      try await session.identities.obtain(try IdentityRequest(for: "api.test"))
    }
    #expect(error?.code == .pin && error?.remedy == .pinHosts(["est.test"]))
    await expect(.pin) {
      try await session.identities.renew(try IdentityName("a")) { (_) throws(SDKError) in
        Issue.record("a person was asked for a passphrase")
        return []
      }
    }
  }

  @Test("gets the token of a user, who logs in before a lock is taken")
  func login() async throws {
    let world = try Self.world(["identity.token": "user"])
    try await world.register()
    world.transport.respond(Self.base + "simpleenroll", .status(403))
    let held = Mutex<[Int]>([])
    let session = try world.session(
      login: { (_, _) async throws(SDKError) in
        held.withLock { $0.append(LockOrder.held.count) }
        _ = try? await world.store("u1")
      })
    _ = try? await session.identities.obtain(try IdentityRequest(for: "api.test"))
    #expect(held.withLock { $0 } == [0])
    #expect(world.transport.sent.last?.fields["Authorization"] == "Bearer u1")
  }

  private static func world(
    _ settings: JSONObject = [:],
    password: (@Sendable (String) async throws(SDKError) -> String)? = nil
  ) throws -> World {
    let own: JSONObject = ["identity.obtain": "est", "identity.url": "https://est.test"]
    let world = try World(
      own.merging(settings) { $1 }, asking: EnrolmentQuestions(password: password))
    world.transport.respond(base + "cacerts", .status(200, RetryAfterTests.authorities))
    world.transport.respond(base + "csrattrs", .status(204))
    return world
  }

  private static func obtain(_ world: World) async -> SDKError? {
    await #expect(throws: SDKError.self) {
      try await world.session().identities.obtain(try IdentityRequest(for: "api.test"))
    }
  }
}
