import CoreTestSupport

@testable import SDKCore

@Suite("A login without a browser")
struct GrantLoginTests {
  private static let tokenURL = "https://id.test/token"
  private static let answer =
    #"{"access_token":"a1","token_type":"bearer","expires_in":60,"refresh_token":"r1"}"#

  @Test(
    "presents its grant, and keeps what it gets",
    arguments: [
      (LoginGrant.password(username: "alice", password: "pw"), "password"),
      (.assertion("a.b.c"), "urn:ietf:params:oauth:grant-type:jwt-bearer"),
      (
        .exchange(SubjectToken("s", type: .idToken), audiences: ["api"]),
        "urn:ietf:params:oauth:grant-type:token-exchange"
      ),
    ])
  func grants(grant: LoginGrant, type: String) async throws {
    let world = try await Self.world()
    try await world.store("implicit", in: .implicit)
    let options = LoginOptions(scope: "a b", parameters: ["resource": "https://r.test"])
    let result = try await world.session().login.logIn(by: .grant(grant), options)
    let form = try #require(FormParameters(encoded: world.transport.sent.last?.body ?? ""))
    #expect(form["grant_type"] == type)
    #expect(form["scope"] == "a b")
    #expect(form.values(of: "resource") == ["https://r.test"])
    #expect(form["audience"] == (type.hasSuffix("exchange") ? "api" : nil))
    #expect(result.tokens.accessToken == "a1")
    #expect(result.tokens.scope == "a b")
    #expect(result.tokens.resources == ["https://r.test"])
    #expect(result.subject == nil)
    #expect(try await world.stored() == result.tokens)
    #expect(try await world.stored(.implicit) == nil)
  }

  @Test(
    "signs an assertion for the issuer, and for the token endpoint if that one is refused",
    arguments: [
      ([answer], ["https://id.test"], nil),
      (
        [#"{"error":"invalid_grant"}"#, answer], ["https://id.test", "https://id.test/token"], nil
      ),
      (
        [#"{"error":"invalid_grant"}"#], ["https://id.test", "https://id.test/token"],
        "could not log in: invalid_grant"
      ),
      (
        [#"{"error":"invalid_scope"}"#, answer], ["https://id.test"],
        "could not log in: invalid_scope"
      ),
    ] as [([String], [String], String?)])
  func ownAssertion(answers: [String], audiences: [String], message: String?) async throws {
    let world = try await Self.world()
    let key = try SigningKey.generate(.es256)
    try await world.save(
      ["client_id": "app", "token_endpoint_auth_method": "private_key_jwt"], key: key)
    let scripted = answers.map {
      FakeTransport.Response.json($0, status: $0.contains("error") ? 400 : 200)
    }
    world.transport.respond(Self.tokenURL, scripted)
    let session = try world.session()
    do {
      _ = try await session.login.logIn(by: .grant(.ownAssertion(subject: "alice")))
      #expect(message == nil)
    } catch {
      #expect(error.message == message)
    }
    let tokens = try world.transport.sent.filter { $0.url == Self.tokenURL }.map { sent in
      try JWT(FormParameters(encoded: sent.body)?["assertion"] ?? "")
    }
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

  @Test("signs nothing without a key of its own")
  func noKey() async throws {
    let world = try await Self.world()
    let error = await expect(
      .invalidConfiguration,
      "could not log in: the client has no key of its own to sign an assertion with"
    ) { _ = try await world.session().login.logIn(by: .grant(.ownAssertion(subject: "alice"))) }
    #expect(
      error?.remedy == .register(.init(.replacing, authenticationMethod: "private_key_jwt")))
    #expect(world.transport.sent.isEmpty)
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
    world.transport.respond(
      Self.tokenURL, .json(#"{"error":"unauthorized_client"}"#, status: 400))
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

  private static func world(_ settings: JSONObject = ["passwordGrant": true]) async throws -> World
  {
    let world = try await World.registered(settings)
    world.transport.respond(tokenURL, .json(answer))
    return world
  }
}
