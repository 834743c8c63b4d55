import CoreTestSupport

@testable import SDKCore

@Suite("A login without a browser")
struct GrantLoginTests {
  @Test(
    "signs an assertion for the issuer, and for the token endpoint if that one is refused",
    arguments: [
      ([], ["https://id.test"], nil),
      (["invalid_grant"], ["https://id.test", World.tokenURL], nil),
      (
        ["invalid_grant", "invalid_grant"], ["https://id.test", World.tokenURL],
        "could not log in: invalid_grant"
      ),
      (["invalid_scope"], ["https://id.test"], "could not log in: invalid_scope"),
    ] as [([String], [String], String?)])
  func ownAssertion(refusals: [String], audiences: [String], message: String?) async throws {
    let world = try await Self.world()
    let key = try SigningKey.generate(.es256)
    try await world.save(
      ["client_id": "app", "token_endpoint_auth_method": "private_key_jwt"], key: key)
    world.transport.respond(
      World.tokenURL, refusals.map { .refusal($0) } + [.token("a1", refreshToken: "r1")])
    let session = try world.session()
    do {
      _ = try await session.login.logIn(by: .grant(.ownAssertion(subject: "alice")))
      #expect(message == nil)
    } catch {
      #expect(error.message == message)
    }
    let tokens = try world.tokenForms.map { try JWT($0["assertion"] ?? "") }
    #expect(tokens.map { $0.claims["aud"]?.string } == audiences)
    #expect(tokens.allSatisfy { $0.subject == "alice" && $0.issuer == "app" })
  }

  @Test("waits for a login that is in progress, as every other login does")
  func guarded() async throws {
    let world = try await Self.world()
    let held = try await ProfileLock.acquire(.login, of: world.name, at: world.location)
    let session = try world.session()
    let chosen = LoginOptions(timeout: .milliseconds(20))
    await expect(.busy, "could not get the lock 'login' of 'work': another process holds it") {
      _ = try await session.login.logIn(by: .grant(.assertion("a")), chosen)
    }
    #expect(world.transport.sent.isEmpty)
    held.release()
    _ = try await session.login.logIn(by: .grant(.assertion("a")), chosen)
  }

  @Test("names its resources again at each refresh")
  func refresh() async throws {
    let world = try await Self.world()
    let options = LoginOptions(
      parameters: ["resource": "https://r.test", "resource": "https://s.test"])
    let session = try world.session()
    _ = try await session.login.logIn(by: .grant(.assertion("a")), options)
    for _ in 0..<2 {
      _ = try await session.tokens.valid(for: .user, TokenDemand(forceNew: true))
      let form = try #require(FormParameters(encoded: world.transport.sent.last?.body ?? ""))
      #expect(form["grant_type"] == "refresh_token")
      #expect(form.values(of: "resource") == ["https://r.test", "https://s.test"])
    }
  }

  @Test(
    "suggests a new registration only for a client that was made here without the grant",
    arguments: [
      (.dynamic, nil, Remedy.registerAnew), (.dynamic, ["authorization_code"], .registerAnew),
      (.dynamic, ["password"], .allowGrant), (.given, nil, .allowGrant),
    ] as [(Registration.Source, [String]?, Remedy)])
  func withoutGrant(
    source: Registration.Source, grants: [String]?, remedy: Remedy
  ) async throws {
    let world = try World(["passwordGrant": true])
    var client: JSONObject = ["client_id": "app", "client_secret": "secret-1"]
    client["grant_types"] = grants.map { .strings($0) }
    try await world.save(client, source: source)
    world.transport.respond(World.tokenURL, .refusal("unauthorized_client"))
    let error = await #expect(throws: SDKError.self) {
      _ = try await world.session().login.logIn(
        by: .grant(.password(username: "alice", password: "pw")))
    }
    #expect(error?.remedy == remedy)
    let exchange = await #expect(throws: SDKError.self) {
      _ = try await world.session().login.logIn(
        by: .grant(.assertion("a.b.c")))
    }
    #expect(exchange?.remedy == .allowGrant)
  }

  private static func world() async throws -> World {
    let world = try await World.registered()
    world.transport.respond(World.tokenURL, .token("a1", refreshToken: "r1"))
    return world
  }
}
