import CoreTestSupport

@testable import SDKCore

@Suite("A silent authorization", .timeLimit(.minutes(10)))
struct SilentAuthorizationTests {
  @Test("obtains the implicit token of a user whom the browser knows")
  func whole() async throws {
    let world = try await Self.world()
    let browser = SilentBrowser(world, subject: "alice")
    let before = try await world.stored()
    let tokens = try await world.session().login.silently(
      scope: "a", present: browser.open)
    #expect(browser.asked["prompt"] == "none")
    // The ID token is nothing for a browser's history and command line.
    #expect(browser.asked["id_token_hint"] == nil)
    #expect(browser.asked["scope"] == "openid a")
    #expect(tokens.accessToken == "i1")
    #expect(tokens.refreshToken == nil)
    #expect(tokens.idToken == nil)
    #expect(try await world.stored(.implicit) == tokens)
    #expect(try await world.stored() == before)
  }

  @Test("is made although there is a refresh token, where a refresh could limit the login")
  func notNarrowed() async throws {
    let world = try await Self.world(refreshToken: "refresh-1")
    let browser = SilentBrowser(world, subject: "alice")
    let before = try await world.stored()
    let tokens = try await world.session().login.silently(scope: "a", present: browser.open)
    #expect(browser.asked["prompt"] == "none")
    #expect(tokens.accessToken == "i1")
    #expect(try await world.stored() == before)
    #expect(world.notices.isEmpty)
    try world.set("narrowedRefresh", to: true)
    world.grant("i2", ["expires_in": 60])
    let narrowed = try await world.session().login.silently(scope: "a") { _ in
      Issue.record("a browser was opened")
    }
    #expect(narrowed.accessToken == "i2")
    world.transport.respond(World.tokenURL, .status(503))
    await expect(.network) {
      _ = try await world.session().login.silently(scope: "a", present: browser.open)
    }
  }

  @Test(
    "that needs a person fails, and suggests a login",
    arguments: [
      "login_required", "consent_required", "interaction_required", "account_selection_required",
    ])
  func asks(error: String) async throws {
    let world = try await Self.world()
    let browser = SilentBrowser(world, subject: "alice", error: error)
    let failure = await expect(
      .notAuthenticated, "could not get an implicit token: \(error)"
    ) { _ = try await world.session().login.silently(scope: "a", present: browser.open) }
    #expect(failure?.resource.number == 9026)
    #expect(failure?.serverError == error)
    #expect(try await world.stored(.implicit) == nil)
  }

  @Test("that fails for another reason suggests no login")
  func otherError() async throws {
    let world = try await Self.world()
    let browser = SilentBrowser(world, subject: "alice", error: "temporarily_unavailable")
    let error = await #expect(throws: SDKError.self) {
      _ = try await world.session().login.silently(scope: "a", present: browser.open)
    }
    #expect(error != nil && error?.code != .notAuthenticated)
    #expect(error?.serverError == "temporarily_unavailable")
  }

  @Test("of another user, or with more scope, is not kept")
  func foreign() async throws {
    for (subject, scope, message) in [
      ("mallory", "openid a", "the browser is signed in as another user than this profile"),
      ("alice", "openid a b", "the server returned more scope than was requested"),
    ] {
      let world = try await Self.world()
      let browser = SilentBrowser(world, subject: subject, scope: scope)
      await expect(.untrusted, "could not get an implicit token: " + message) {
        _ = try await world.session().login.silently(scope: "a", present: browser.open)
      }
      #expect(try await world.stored(.implicit) == nil)
    }
  }

  @Test("with a resource, of the request or of the login, has the scopes of that")
  func resource() async throws {
    for isOfLogin in [true, false] {
      let world = try await Self.world()
      var options = LoginOptions()
      if isOfLogin {
        var user = try #require(try await world.stored())
        user.resources = ["https://r1.test"]
        try await world.credentials(.user).save(user)
      } else {
        options.parameters.append("resource", "https://r1.test")
      }
      let browser = SilentBrowser(world, subject: "alice", scope: "r1:read")
      let tokens = try await world.session().login.silently(
        scope: nil, options: options, present: browser.open)
      #expect(browser.asked.values(of: "resource") == ["https://r1.test"])
      #expect(tokens.scope == "r1:read")
    }
  }

  @Test("of a user who has been replaced meanwhile is not kept")
  func replaced() async throws {
    let world = try await Self.world()
    let browser = SilentBrowser(world, subject: "alice")
    let message = "could not get an implicit token: the login was replaced meanwhile"
    await expect(.notAuthenticated, message) {
      _ = try await world.session().login.silently(scope: "a") { challenge in
        _ = try? await world.store("u2")
        await browser.open(challenge)
      }
    }
    #expect(try await world.stored(.implicit) == nil)
  }

  @Test("needs scope that was granted, and an ID token to recognise the user by")
  func requirements() async throws {
    let world = try await Self.world()
    let session = try world.session()
    let message = "could not get an implicit token: the user has not granted 'c'"
    await expect(.policy, message) {
      _ = try await session.login.silently(scope: "c") { _ in }
    }
    try await world.store("u1", refreshToken: nil, scope: "a b")
    await expect(
      .unsupported,
      "could not get an implicit token: the login has no ID token, by which the user could be "
        + "recognised"
    ) { _ = try await session.login.silently(scope: "a") { _ in } }
    #expect(!world.transport.lines.contains("POST https://id.test/token"))
  }

  private static func world(refreshToken: String? = nil) async throws -> World {
    let world = try await World.registered(redirectURI: nil)
    let tokens = TokenSet(
      accessToken: "u1", expires: World.now + 3600, scope: "openid a b", refreshToken: refreshToken,
      obtained: World.now
    ).with(idToken: try SilentBrowser.idToken("alice", nonce: nil))
    try await world.credentials(.user).save(tokens)
    world.transport.respond("https://id.test/jwks", .json(try SilentBrowser.keys()))
    return world
  }
}

/// A browser in which somebody is signed in; it follows the server at once.
private final class SilentBrowser: Sendable {
  private let world: World
  private let subject: String
  private let scope: String
  private let error: String?
  private let query = Mutex("")

  init(_ world: World, subject: String, scope: String = "openid a", error: String? = nil) {
    self.world = world
    self.subject = subject
    self.scope = scope
    self.error = error
  }

  var asked: FormParameters { FormParameters(encoded: query.withLock { $0 }) ?? [:] }

  var open: ChallengeHandler {
    { challenge in
      self.query.withLock { $0 = challenge.url.query ?? "" }
      let state = self.asked["state"] ?? ""
      let members: JSONObject = [
        "access_token": "i1", "token_type": "bearer", "expires_in": 60,
        "refresh_token": "not-to-be-kept", "scope": .string(self.scope),
        "id_token": .string((try? Self.idToken(self.subject, nonce: self.asked["nonce"])) ?? ""),
      ]
      self.world.transport.respond(
        "https://id.test/token", .json(JSON.object(members).serialized()))
      let answer = self.error.map { "error=\($0)" } ?? "code=c"
      // The answer of the listener is of no interest here.
      challenge.respond(with: "\(self.asked["redirect_uri"] ?? "")?\(answer)&state=\(state)")
    }
  }

  static func keys() throws -> String {
    JSON.object(["keys": [try key.get().publicKey.json]]).serialized()
  }

  static func idToken(_ subject: String, nonce: String?) throws -> String {
    var claims: JSONObject = [
      "iss": "https://id.test", "sub": .string(subject), "aud": "app",
      "exp": .time(World.now + 300), "iat": .time(World.now),
    ]
    claims["nonce"] = nonce.map { .string($0) }
    return try key.get().sign(
      header: [:], payload: Array(JSON.object(claims).serialized().utf8))
  }

  private static let key = Result { try SigningKey.generate(.rs256) }
}
