import CoreTestSupport

@testable import SDKCore

@Suite("The user of a request")
struct SameUserTests {
  private static func cookies(_ user: String?) throws -> AuthorizationProvider {
    let cookie = try #require(Cookie(name: "s", value: "1", domain: "api.test", isHostOnly: true))
    var session = SessionCookies([cookie], obtained: World.now)
    session.user = user
    return .cookies(session)
  }

  private static func token(_ user: String?) -> AuthorizationProvider {
    AuthorizationProvider(sessionToken: "opaque", of: user, obtained: World.now)
  }

  @Test(
    "is the same if the login names the same account, in cookies or in a JWT",
    arguments: [
      ("alice", "alice", true), ("alice", "bob", false), ("alice", nil, false), (nil, "bob", true),
    ] as [(String?, String?, Bool)], [true, false])
  func forms(
    users: (before: String?, after: String?, isSame: Bool), cookiesFirst: Bool
  )
    async throws
  {
    let world = try await World.registered()
    let session = try world.session()
    let before = cookiesFirst ? try Self.cookies(users.before) : Self.token(users.before)
    let after = cookiesFirst ? Self.token(users.after) : try Self.cookies(users.after)
    try await session.login.store(before)
    let owner = await RequestOwner(session.tokens.slots)
    try await session.login.store(after)
    guard !users.isSame else { return try await owner.confirm(nil) }
    await expect(.untrusted) { try await owner.confirm(nil) }
  }

  @Test("needs no stored token if the request has none: what is not used is not read")
  func unused() async throws {
    let world = try await World.registered()
    _ = try await world.store("u1")
    for name in ["credentials/user", "registration"] {
      try world.folder.write("damaged", to: "state/profiles/work/\(name).json")
    }
    world.transport.respond("https://api.test/v1/x", .status(200))
    let response = try await DeviceClient(try world.session())
      .sendUnauthenticated(ResourceRequest("GET", "/x"))
    #expect(response.status == 200)
  }
}
