import CoreTestSupport

@testable import SDKCore

@Suite("A token of less scope or for another service")
struct NarrowedTokenTests {
  @Test(
    "is exchanged and returned, and the stored one does not change",
    arguments: [
      ("a", nil, "&scope=a"), (nil, "billing", "&audience=billing"),
      ("a", "billing", "&scope=a&audience=billing"),
    ] as [(String?, String?, String)])
  func exchange(scope: String?, audience: String?, suffix: String) async throws {
    let world = try await World.loggedIn(exchanges: true)
    world.transport.respond(World.tokenURL, .token("n1", refreshToken: "other"))
    let before = try world.folder.files()
    let tokens = try await world.session().tokens.narrowed(
      for: .user, scope: scope, audience: audience)
    #expect(tokens.accessToken == "n1")
    #expect(tokens.scope == scope)
    #expect(tokens.refreshToken == nil)
    let body = try #require(world.tokenBodies.first)
    #expect(body.contains("&subject_token=u1&"))
    #expect(body.hasSuffix("token-type%3Aaccess_token\(suffix)&client_id=app"))
    let after = try world.folder.files()
    #expect(
      after.filter { $0.key.hasSuffix("/credentials/user.json") }
        == before.filter { $0.key.hasSuffix("/credentials/user.json") })
  }

  @Test(
    "has the scopes of that service, which the user's token does not have",
    arguments: ["api2:read", nil])
  func scopeOfAudience(scope: String?) async throws {
    let world = try await World.loggedIn(exchanges: true)
    world.grant("n1", ["scope": "api2:read"])
    let session = try world.session()
    let tokens = try await session.tokens.narrowed(for: .user, scope: scope, audience: "api2")
    #expect(tokens.scope == "api2:read")
    await expect(.policy, "could not get a token: the user has not granted 'api2:read'") {
      _ = try await session.tokens.narrowed(for: .user, scope: "api2:read", audience: nil)
    }
  }

  @Test(
    "has the scopes of the resource servers that the login named, which the exchange names again")
  func scopeOfResources() async throws {
    let world = try await World.loggedIn(exchanges: true)
    var user = try await world.store("u1", scope: "openid r1:read")
    user.resources = ["https://r1.test"]
    try await world.credentials(.user).save(user)
    world.grant("n1", ["scope": "read", "expires_in": 60])
    let tokens = try await world.session().login.silently(scope: nil)
    #expect(tokens.scope == "read")
    #expect(tokens.resources == ["https://r1.test"])
    #expect(world.tokenBodies.first?.contains("&resource=https%3A%2F%2Fr1.test&") == true)
    await expect(
      .untrusted, "could not get a token: the server returned more scope than was requested"
    ) { _ = try await world.session().tokens.narrowed(for: .user, scope: "other", audience: nil) }
  }

  @Test("with the full scope of the login may be a refresh, in any order of the words")
  func whole() async throws {
    let world = try await World.loggedIn(exchanges: false)
    world.transport.respond(World.tokenURL, .token("n1", refreshToken: "refresh-2"))
    let tokens = try await world.session().tokens.narrowed(for: .user, scope: "b a", audience: nil)
    #expect(tokens.accessToken == "n1")
    #expect(try await world.stored()?.refreshToken == "refresh-2")
    #expect(world.notices.isEmpty)
  }

  @Test("is obtained for this installation with its credentials")
  func device() async throws {
    let world = try await World.loggedIn(exchanges: false)
    world.transport.respond(World.tokenURL, .token("d1"))
    let tokens = try await world.session().tokens.narrowed(
      for: .anonymous, scope: "x", audience: "billing")
    #expect(tokens.accessToken == "d1")
    #expect(tokens.scope == "x")
    #expect(
      world.tokenBodies
        == ["grant_type=client_credentials&audience=billing&scope=x&client_id=app"])
    #expect(try await world.stored(.anonymous) == nil)
  }

  @Test(
    "of the implicit slot has its scope unless another is asked for",
    arguments: [(nil, "a"), ("b", "b")] as [(String?, String)])
  func implicit(scope: String?, asked: String) async throws {
    let world = try await World.loggedIn(exchanges: true)
    try world.set("implicitScope", to: "a")
    world.transport.respond(World.tokenURL, .token("n1"))
    let tokens = try await world.session().tokens.narrowed(
      for: .implicit, scope: scope, audience: "billing")
    #expect(tokens.scope == asked)
    #expect(
      world.tokenBodies.first?.hasSuffix(
        "&scope=\(asked)&audience=billing&client_id=app") == true)
  }

  @Test("of this installation has no more scope than was asked for")
  func wide() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try world.set("anonymousScope", to: "x")
    world.transport.respond(World.tokenURL, .token("d1", scope: "x y"))
    let session = try world.session()
    await expect(
      .untrusted, "could not get a token: the server returned more scope than was requested"
    ) { _ = try await session.tokens.narrowed(for: .anonymous, scope: nil, audience: "billing") }
  }
}
