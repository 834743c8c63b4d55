import JSON
import OAuth
import TestSupport
import Testing

@testable import SDKCore

@Suite("Tokens of limited use")
struct LimitedTokenTests {
  private static func answer(_ count: Int, of limit: Int) -> FakeTransport.Response {
    .json(
      #"{"access_token":"a1","token_type":"bearer","expires_in":3600,"profile_id":"p1","#
        + #""usage_count":\#(count),"usage_limit":\#(limit),"biometric":"secret-b"}"#)
  }

  @Test("are stored with their user and the number of uses")
  func kept() async throws {
    let world = try Self.world(Self.answer(0, of: 3))
    let tokens = try await world.session().tokens.valid(for: .user)
    #expect(tokens.profileID == "p1")
    #expect(tokens.usageCount == 0)
    #expect(tokens.usageLimit == 3)
    #expect(tokens.hasBiometricToken)
    #expect(try world.stored() == tokens)
    #expect(try !world.folder.text(of: World.userFile).contains("secret-b"))
  }

  @Test("are renewed, not returned, if they are used up")
  func usedUp() async throws {
    let world = try Self.world(Self.answer(0, of: 1))
    var old = try world.store("a0")
    old.usage = TokenUsage(count: 2, limit: 2)
    try world.credentials(.user).save(old)
    #expect(try await world.session().tokens.valid(for: .user).accessToken == "a1")
    // What came has a limit that is not reached.
    #expect(try await world.session().tokens.valid(for: .user).accessToken == "a1")
    #expect(world.transport.lines.filter { $0.hasSuffix("/token") }.count == 1)
  }

  @Test("fail with a login as remedy if they cannot be renewed, or are used up at once")
  func exhausted() async throws {
    let world = try Self.world(Self.answer(1, of: 1))
    let session = try world.session()
    await expect(
      .sessionExpired, "could not use the login of 'work': its token is used up from the start"
    ) { _ = try await session.tokens.valid(for: .user) }
    var old = try world.store("a0", refreshToken: nil)
    old.usage = TokenUsage(count: 2, limit: 2)
    try world.credentials(.user).save(old)
    await expect(
      .sessionExpired,
      "could not use the login of 'work': "
        + "its token has been used as often as it may, and cannot be refreshed"
    ) { _ = try await session.tokens.valid(for: .user) }
  }

  private static func world(_ answer: FakeTransport.Response) throws -> World {
    let world = try World()
    try world.register()
    try world.store("a0", lifetime: -1)
    world.transport.respond("https://id.test/token", answer)
    return world
  }
}
