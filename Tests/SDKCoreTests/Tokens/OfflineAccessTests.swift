import CoreTestSupport

@testable import SDKCore

@Suite("A login without a refresh token")
struct OfflineAccessTests {
  @Test(
    "cannot be renewed, and reports what would return a refresh token", arguments: [true, false])
  func forceNew(isAnnounced: Bool) async throws {
    let world = try await Self.world(isAnnounced)
    try await world.store("u1", refreshToken: nil, scope: "openid a")
    let session = try world.session()
    _ = try await session.server.metadata()
    let error = await expect(
      .sessionExpired,
      "could not use the login of 'work': the server gave no refresh token, so the token cannot "
        + "be renewed"
    ) { _ = try await session.tokens.valid(for: .user, TokenDemand(forceNew: true)) }
    #expect(
      error?.remedy
        == (isAnnounced ? .login(.init(scope: "openid a offline_access")) : .login))
  }

  @Test("does not suggest what was already requested, or what the server does not offer")
  func alreadyAsked() async throws {
    let world = try await Self.world(true)
    let session = try world.session()
    let tokens = try await world.store("u1", refreshToken: nil, scope: "openid a")
    #expect(session.tokens.remedy(forMissingRefreshTokenOf: tokens) == nil)
    #expect(world.transport.sent.isEmpty)
    _ = try await session.server.metadata()
    #expect(session.tokens.remedy(forMissingRefreshTokenOf: tokens) != nil)
    let offline = try await world.store("u1", refreshToken: nil, scope: "openid offline_access")
    #expect(session.tokens.remedy(forMissingRefreshTokenOf: offline) == nil)
  }

  private static func world(_ isAnnounced: Bool) async throws -> World {
    let world = try await World.registered()
    let scopes = isAnnounced ? #""openid","offline_access""# : #""openid""#
    world.announce(#""scopes_supported":[\#(scopes)]"#)
    return world
  }
}
