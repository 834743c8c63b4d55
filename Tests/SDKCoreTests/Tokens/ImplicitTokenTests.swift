import CoreTestSupport

@testable import SDKCore

@Suite("Implicit token")
struct ImplicitTokenTests {
  private static let exchangeBody =
    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=u1"
    + "&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
    + "&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
  private static let refreshBody = "grant_type=refresh_token&refresh_token=refresh-1"
  private static let client = "&client_id=app"

  @Test("is a refresh with less scope if the profile allows it; the refresh token stays")
  func narrowed() async throws {
    let world = try await World.loggedIn(exchanges: false, ["narrowedRefresh": true])
    world.transport.respond(
      World.tokenURL, .token("i1", refreshToken: "refresh-2", ["id_token": "x"]))
    let before = try #require(try await world.stored())
    let tokens = try await world.session().login.silently(scope: "a")
    #expect(tokens.accessToken == "i1")
    #expect(tokens.scope == "a")
    #expect(tokens.refreshToken == nil)
    #expect(tokens.idToken == nil)
    #expect(world.tokenBodies == [Self.refreshBody + "&scope=a" + Self.client])
    #expect(try await world.stored() == before.with(refreshToken: "refresh-2"))
    #expect(try await world.stored(.implicit) == tokens)
    #expect(world.notices == [.mayBeLimited(to: "a")])
  }

  @Test("is not the stored one if the user's token comes from the environment")
  func injected() async throws {
    let world = try await World.loggedIn(exchanges: true)
    try await world.store("i1", refreshToken: nil, in: .implicit)
    let session = try world.session(injectedToken: "ci")
    let message = "could not get an implicit token: the environment is used as the user's token"
    await expect(.notAuthenticated, message) { _ = try await session.tokens.valid(for: .implicit) }
    #expect(try await session.tokens.tokens(in: .implicit) == nil)
    await expect(
      .notAuthenticated, "could not get a token: the environment is used as the user's token"
    ) { _ = try await session.tokens.narrowed(for: .user, scope: "a", audience: nil) }
    #expect(world.transport.sent.isEmpty)
    #expect(try await world.stored(.implicit)?.accessToken == "i1")
  }

  @Test("leaves the user's tokens unchanged if the refresh token is not rotated")
  func notRotated() async throws {
    let world = try await World.loggedIn(exchanges: false)
    world.transport.respond(World.tokenURL, .token("i1"))
    let before = try await world.stored()
    _ = try await world.session().login.silently(scope: nil)
    #expect(try await world.stored() == before)
    #expect(world.tokenBodies == [Self.refreshBody + Self.client])
  }

  @Test(
    "is a refresh if this client may not exchange",
    arguments: ["unauthorized_client", "unsupported_grant_type"])
  func notAllowed(error: String) async throws {
    let world = try await World.loggedIn(exchanges: true, ["narrowedRefresh": true])
    world.transport.respond(World.tokenURL, .refusal(error), .token("i1"))
    #expect(try await world.session().login.silently(scope: "a").accessToken == "i1")
    #expect(
      world.tokenBodies == [
        Self.exchangeBody + "&scope=a" + Self.client, Self.refreshBody + "&scope=a" + Self.client,
      ])
    #expect(world.notices.isEmpty, "the refresh token stays as it is")
  }

  @Test("renews the user's token once when the server no longer takes it")
  func staleSubject() async throws {
    let world = try await World.loggedIn(exchanges: true)
    world.transport.respond(
      World.tokenURL, .refusal("invalid_request"), .token("u2"), .token("i1"))
    #expect(try await world.session().login.silently(scope: nil).accessToken == "i1")
    let renewed = Self.exchangeBody.split(separator: "u1", maxSplits: 1).joined(separator: "u2")
    #expect(
      world.tokenBodies == [Self.exchangeBody, Self.refreshBody, renewed].map { $0 + Self.client })
    #expect(try await world.stored()?.accessToken == "u2")
  }

  @Test("is taken from the store while it is valid, and obtained with its scope after that")
  func lifeCycle() async throws {
    let world = try await World.loggedIn(exchanges: true, ["implicitScope": "a b"])
    world.transport.respond(World.tokenURL, .token("i1"), .token("i2"), .token("i3"))
    let session = try world.session()
    _ = try await session.tokens.valid(for: .implicit)
    #expect(try await session.tokens.valid(for: .implicit).accessToken == "i1")
    world.now = world.now + 45
    #expect(try await session.tokens.valid(for: .implicit).accessToken == "i2")
    _ = try await session.login.silently(scope: "b")
    _ = try await session.tokens.valid(for: .implicit, TokenDemand(refused: "i3"))
    let scopes = world.tokenBodies.map { FormParameters(encoded: $0)?["scope"] }
    #expect(scopes == ["a b", "a b", "b", "b"])
  }

  @Test("with a scope of its own is not what another process has obtained meanwhile")
  func scopeMeanwhile() async throws {
    let world = try await World.loggedIn(exchanges: true)
    world.transport.respond(World.tokenURL, .token("i1"))
    let lock = try await ProfileLock.acquire(.implicit, of: world.name, at: world.location)
    let steps = SteppedExecutor()
    let task = Task(executorPreference: steps) {
      try await world.session().login.silently(scope: "a").accessToken
    }
    steps.drain()
    try await world.store("theirs", in: .implicit)
    lock.release()
    steps.letRun()
    #expect(try await task.value == "i1")
  }

  @Test("has no scope that the user has not granted")
  func scopes() async throws {
    let world = try await World.loggedIn(exchanges: true)
    let session = try world.session()
    await expect(
      .policy, "could not get an implicit token: the user has not granted 'admin write'"
    ) {
      _ = try await session.login.silently(scope: "a write admin")
    }
    #expect(world.transport.sent.isEmpty)
    for (asked, answered) in [("a", "a b"), ("a", "a b c"), (nil, "a b c")] as [(String?, String)] {
      world.transport.respond(World.tokenURL, .token("i1", scope: answered))
      await expect(
        .untrusted,
        "could not get an implicit token: the server returned more scope than was requested"
      ) {
        _ = try await session.login.silently(scope: asked)
      }
      #expect(try await world.stored(.implicit) == nil)
    }
    world.transport.respond(World.tokenURL, .token("i1", scope: "b a"))
    #expect(try await session.login.silently(scope: nil).scope == "b a")
  }

  @Test("stores the rotated refresh token of a response that is refused")
  func refusedAnswer() async throws {
    let world = try await World.loggedIn(exchanges: false, ["narrowedRefresh": true])
    world.transport.respond(
      World.tokenURL, .token("i1", scope: "a b", refreshToken: "refresh-2"))
    await expect(.untrusted) { _ = try await world.session().login.silently(scope: "a") }
    #expect(try await world.stored()?.refreshToken == "refresh-2")
    // Such a server took no notice of the scope, and so has limited nothing.
    #expect(world.notices.isEmpty)
  }

  @Test("is erased at another login")
  func goes() async throws {
    let world = try await World.loggedIn(exchanges: true)
    try await world.store("i2", refreshToken: nil, in: .implicit)
    world.transport.respond(World.tokenURL, .token("u9"))
    let person = Person(["code=c&state=STATE"])
    _ = try await world.session().login.logIn(by: person.way)
    #expect(try await world.stored(.implicit) == nil)
    #expect(try await world.stored()?.accessToken == "u9")
  }
}
