import CoreTestSupport

@testable import SDKCore

@Suite("The stored registration")
struct RegistrationTests {
  private static let file = "state/profiles/work/registration.json"

  @Test(
    "chooses how the client proves itself",
    arguments: [
      ("s", nil, .basic, true), ("s", "client_secret_basic", .basic, true),
      ("s", "client_secret_post", .post, true), ("s", "none", .none, false),
      (nil, "client_secret_basic", .none, false), ("s", "private_key_jwt", .none, false),
      ("s", "client_secret_jwt", .secretJWT, true), (nil, "client_secret_jwt", .none, false),
      // Its certificate lies with the identities.
      ("s", "tls_client_auth", .none, true), ("s", "self_signed_tls_client_auth", .none, true),
      ("s", "unheard_of", .basic, true),
    ] as [(String?, String?, ClientAuthentication.Method, Bool)])
  func method(
    secret: String?, name: String?, method: ClientAuthentication.Method, isConfidential: Bool
  ) {
    var client: JSONObject = ["client_id": "a"]
    client["client_secret"] = secret.map { .string($0) }
    client["token_endpoint_auth_method"] = name.map { .string($0) }
    let registration = Registration(issuer: "i", source: .dynamic, obtained: 0, client: client)
    #expect(registration.authentication.method == method)
    #expect(registration.isConfidential == isConfidential)
  }

  @Test("is that of the profile's client id when none is stored")
  func given() async throws {
    #expect(try await World().session().registration.current() == nil)
    let world = try World(["clientID": "public"])
    let registration = try #require(try await world.session().registration.current())
    #expect(registration.clientID == "public")
    #expect(registration.source == .given)
    #expect(registration.obtained == 0)
    #expect(registration.issuer == "https://id.test")
    #expect(!registration.isConfidential)
    try await world.register()
    #expect(try await world.session().registration.current()?.clientID == "app")
  }

  @Test("of another issuer is refused, and may be replaced by a new one")
  func otherIssuer() async throws {
    let world = try World()
    try await world.register(issuer: "https://old.test")
    let message =
      "could not use the registration of 'work': it is of another issuer, 'https://old.test'"
    await expect(.registeredElsewhere, message) {
      _ = try await world.session().registration.current()
    }
    await expect(.registeredElsewhere, message) {
      _ = try await world.session().tokens.valid(for: .anonymous)
    }
    #expect(try await world.session().registration.usable() == nil)
    #expect(world.transport.sent.isEmpty)
    try await world.register()
    #expect(try await world.session().registration.usable()?.clientID == "app")
  }
}
