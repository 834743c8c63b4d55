import HTTP
import JSON
import TestSupport
import Testing

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
    world.transport.respond(Self.base + "simpleenroll", .status(400))
    let error = await Self.obtain(world)
    #expect(
      error?.message
        == "could not obtain an identity for 'api.test': simpleenroll: est.test returned "
        + "400; its csrattrs ask for challengePassword, an RSA key of another size, which is not sent"
    )
  }

  private static func world() throws -> World {
    let world = try World(["identity.obtain": "est", "identity.url": "https://est.test"])
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
