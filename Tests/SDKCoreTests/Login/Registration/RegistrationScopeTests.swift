import CoreTestSupport

@testable import SDKCore

@Suite("The scope of a registration")
struct RegistrationScopeTests {
  private static let url = "https://id.test/register"

  @Test(
    "asks for all scopes that the client may ever ask for",
    arguments: [
      (nil, nil, nil, nil), (nil, "read", nil, nil), ("openid a", nil, nil, "openid a"),
      ("openid a", "a read", nil, "openid a read"), ("openid a", "read", "own", "own"),
    ] as [(String?, String?, String?, String?)])
  func scope(user: String?, anonymous: String?, chosen: String?, sent: String?) async throws {
    let world = try World([
      "scope": user.map { .string($0) } ?? .null,
      "anonymousScope": anonymous.map { .string($0) } ?? .null,
    ])
    world.transport.respond(Self.url, .json(#"{"client_id":"a"}"#, status: 201))
    let options = RegistrationOptions(scope: chosen)
    _ = try await world.session().registration.register(options)
    let body = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(body["scope"]?.string == sent)
  }

  @Test(
    "without a scope in the profile asks for that of a login, and for what else is announced",
    arguments: [
      (["email", "openid"], nil, "openid email"), (["openid"], "read", "openid read"),
      (["openid", "a b", "", "c"], nil, "openid c"), (["email"], nil, nil),
    ] as [(JSON, String?, String?)])
  func scopeOfLogin(announced: JSON, anonymous: String?, sent: String?) async throws {
    let world = try World(["anonymousScope": anonymous.map { .string($0) } ?? .null])
    var document = try #require(try JSON(parsing: World.metadata).object)
    document["scopes_supported"] = announced
    world.transport.respond(World.metadataURL, .json(JSON.object(document).serialized()))
    let response =
      #"{"client_id":"a","scope":"","client_secret":"","registration_client_uri":"","registration_access_token":""}"#
    world.transport.respond(Self.url, .json(response, status: 201))
    let registration = try await world.session().registration.register(RegistrationOptions())
    let body = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(body["scope"]?.string == sent)
    // Nobody may ask for nothing with an empty scope, nor manage the client at an empty URL.
    #expect(registration.client["scope"] == nil && registration.client["client_secret"] == nil)
    #expect(!registration.isConfidential && !registration.isManaged)
  }

  @Test("omits a default scope if the server refuses it")
  func refusedScope() async throws {
    for (chosen, scopes) in [(nil, ["openid", nil]), ("openid", ["openid"])]
      as [(String?, [String?])]
    {
      let world = try World()
      var document = try #require(try JSON(parsing: World.metadata).object)
      document["scopes_supported"] = ["openid"]
      world.transport.respond(World.metadataURL, .json(JSON.object(document).serialized()))
      let refusal = FakeTransport.Response.json(#"{"error":"insufficient_scope"}"#, status: 403)
      let isTaken = FakeTransport.Response.json(#"{"client_id":"a"}"#, status: 201)
      world.transport.respond(Self.url, refusal, refusal, chosen == nil ? isTaken : refusal)
      let options = RegistrationOptions(scope: chosen)
      _ = try? await world.session().registration.register(options)
      let bodies = try world.transport.sent.dropFirst().map { try JSON(parsing: $0.body) }
      #expect(Set(bodies.map { $0["scope"]?.string }) == Set(scopes))
    }
  }
}
