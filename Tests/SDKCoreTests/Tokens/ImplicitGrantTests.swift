import CoreTestSupport

@testable import SDKCore

/// An implicit token with a refresh token of its own, which needs no passcode of the user.
@Suite("An implicit token of its own grant")
struct ImplicitGrantTests {
  private static let passcode = Array("27182".utf8)

  /// A user, sealed or not, and an expired implicit token with the scope `a`.
  private static func world(isSealed: Bool) async throws -> World {
    let world = try await World.loggedIn(exchanges: true)
    if isSealed {
      try await world.session().seal.seal([.user], asking: KnownPasscode(passcode))
    }
    try await world.store("i1", lifetime: 0, refreshToken: "own-1", scope: "a", in: .implicit)
    // The seal has asked for a token ahead.
    world.transport.forget()
    return world
  }

  @Test("is renewed with it, without the passcode", arguments: [true, false])
  func renewed(isSealed: Bool) async throws {
    let world = try await Self.world(isSealed: isSealed)
    world.transport.respond(World.tokenURL, .status(503), .token("i2", refreshToken: "own-2"))
    await expect(.network) { _ = try await world.session().tokens.valid(for: .implicit) }
    let tokens = try await world.session().tokens.valid(for: .implicit)
    #expect(tokens.accessToken == "i2")
    #expect(world.tokenForms.map { $0["refresh_token"] } == ["own-1", "own-1"])
    #expect(try await world.stored(.implicit)?.refreshToken == "own-2")
  }

  @Test("is obtained without the passcode while the user's token is valid")
  func obtained() async throws {
    let world = try await Self.world(isSealed: true)
    try world.folder.remove("state/profiles/work/credentials/implicit.json")
    world.transport.respond(World.tokenURL, .token("i2", refreshToken: "own-2"))
    #expect(try await world.session().login.silently(scope: "a").accessToken == "i2")
    #expect(world.tokenForms.map { $0["subject_token"] } == ["u1"])
    #expect(try await world.stored(.implicit)?.refreshToken == "own-2")
  }

  @Test("is not refreshed for more than its own scope: it is exchanged")
  func wider() async throws {
    let world = try await Self.world(isSealed: false)
    world.transport.respond(World.tokenURL, .token("i2"))
    #expect(try await world.session().login.silently(scope: "a b").accessToken == "i2")
    #expect(world.tokenForms.map { $0["subject_token"] } == ["u1"])
  }

  @Test("is refused if the refresh brings more scope; the new refresh token is kept")
  func tooWide() async throws {
    let world = try await Self.world(isSealed: false)
    world.transport.respond(World.tokenURL, .token("i2", scope: "a b", refreshToken: "own-2"))
    await expect(
      .untrusted,
      "could not get an implicit token: the server returned more scope than was requested"
    ) { _ = try await world.session().tokens.valid(for: .implicit) }
    let stored = try await world.stored(.implicit)
    #expect(stored?.accessToken == "i1" && stored?.refreshToken == "own-2")
  }

  @Test("ends with its refresh token, and is exchanged if that takes no passcode")
  func ended() async throws {
    let refusal = FakeTransport.Response.refusal("invalid_grant")
    for isOpen in [false, true] {
      let world = try await Self.world(isSealed: isOpen)
      let session = try world.session(passcode: isOpen ? KnownPasscode(Self.passcode) : nil)
      if isOpen { try await session.tokens.slots.seal.open() }
      world.transport.respond(World.tokenURL, refusal, .token("i2"))
      #expect(try await session.tokens.valid(for: .implicit).accessToken == "i2")
      #expect(world.tokenForms.map { $0["subject_token"] } == [nil, "u1"])
    }
    let world = try await Self.world(isSealed: true)
    world.transport.respond(World.tokenURL, refusal)
    let error = await expect(
      .notAuthenticated,
      "could not get an implicit token: the server no longer accepts the implicit refresh token"
    ) { _ = try await world.session().tokens.valid(for: .implicit) }
    #expect(error?.resource.number == 9026)
    #expect(try await world.stored(.implicit)?.isRefreshable == false)
    #expect(world.tokenForms.count == 1)
  }

  @Test(
    "reports the refusal of an exchange if nothing else can be tried",
    arguments: [
      ("unauthorized_client", nil, nil), ("unauthorized_client", "refresh-1", "billing"),
      ("invalid_grant", nil, nil), ("invalid_token", nil, "billing"),
    ] as [(String, String?, String?)])
  func refused(code: String, refreshToken: String?, audience: String?) async throws {
    let world = try await World.loggedIn(exchanges: true, ["narrowedRefresh": true])
    try await world.store("u1", refreshToken: refreshToken, scope: "a b")
    world.transport.respond(World.tokenURL, .refusal(code))
    let error = await #expect(throws: SDKError.self) {
      try await world.session().tokens.narrowed(for: .user, scope: "a", audience: audience)
    }
    #expect(error?.serverError == code)
    #expect(world.tokenForms.count == 1)
  }
}
