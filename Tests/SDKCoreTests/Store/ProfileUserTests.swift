import CoreTestSupport

@testable import SDKCore

@Suite("Users of a profile")
struct ProfileUserTests {
  private static let bob = (try? UserID("bob@example.com")) ?? .standard

  private static func session(_ world: World, _ user: UserID? = nil) throws -> ProfileSession {
    try world.session(of: user)
  }

  @Test("of a profile with one user leave nothing on disk besides the slots")
  func one() async throws {
    let world = try await World.registered()
    _ = try await world.store("u1")
    let session = try Self.session(world)
    #expect(session.userID == .standard)
    #expect(try await session.users().map(\.id) == [.standard])
    try await session.login.store(.bearer(try #require(try await world.stored())))
    #expect(try !world.folder.files().keys.contains { $0.contains("users") })
  }

  @Test("are current by the first login, and no later one changes that")
  func current() async throws {
    let world = try await World.registered()
    let carol = try UserID("carol")
    for user in [Self.bob, carol] {
      let session = try Self.session(world, user)
      let tokens = TokenSet(
        accessToken: "t", expires: nil, scope: nil, refreshToken: nil, obtained: World.now)
      try await session.login.store(.bearer(tokens))
      #expect(try session.currentUser() == Self.bob)
    }
    #expect(try Self.session(world).userID == Self.bob)
  }

  @Test("are removed one by one, with all that is theirs")
  func deregistered() async throws {
    let world = try await World.registered()
    let first = try await world.store("u1")
    let bob = try Self.session(world, Self.bob)
    try await bob.login.store(.bearer(first))
    try await world.store.setCurrentUser(Self.bob, of: world.name)
    _ = try await bob.registration.deregisterUser(isLocal: true)
    #expect(try await bob.users().map(\.id) == [.standard])
    #expect(try await world.stored() == first)
    #expect(try !world.folder.files().keys.contains { $0.contains("users") })
  }

  @Test("all lose their tokens with the registration")
  func registration() async throws {
    let world = try await World.registered()
    let first = try await world.store("u1")
    let bob = try Self.session(world, Self.bob)
    try await bob.login.store(.bearer(first))
    let steps = try await Self.session(world, .standard).registration.deregister(isLocal: true)
    #expect(steps.contains { $0.user == Self.bob && $0.action == .erase })
    #expect(try await world.stored() == nil)
    #expect(try await bob.tokens.tokens(in: .user) == nil)
  }

  @Test("have IDs that cannot lead out of their directory")
  func names() throws {
    for text in [
      "", ".", "..", ".hidden", "-x", "a/b", "a b", "ä", String(repeating: "a", count: 101),
    ] {
      #expect(throws: SDKError.self, "\(text)") { try UserID(text) }
    }
    #expect(try UserID("default") == .standard)
    for text in ["bob", "bob@example.com", "7a+b_c-d.e"] { _ = try UserID(text) }
  }

  @Test("are in an export with tokens, and in the list of secrets")
  func files() async throws {
    let world = try await World.registered()
    let first = try await world.store("u1")
    let bob = try Self.session(world, Self.bob)
    try await bob.login.store(.bearer(first))
    let export = try await world.store.export(world.name, .all)
    let copy = try ProfileName("copy")
    try await world.store.add(export, as: copy)
    #expect(try world.store.currentUser(of: copy) == .standard)
    #expect(try await world.store.userProfiles(of: copy).map(\.id) == [.standard, Self.bob])
    #expect(try await world.store.userProfiles(of: copy).last?.login?.tokens?.accessToken == "u1")
    let secrets = try await world.store.secrets(of: copy).filter { $0.kind == .tokens }.map(\.path)
    #expect(
      secrets.count == 2
        && secrets.contains { $0.hasSuffix("users/bob@example.com/credentials/user.json") })
  }

  @Test("are the vendors' user profiles")
  func client() async throws {
    let world = try await World.registered()
    _ = try await world.store("u1")
    let client = UserClient(try Self.session(world))
    #expect(try await client.userProfiles().map(\.id) == [.standard])
    #expect(try await client.isRegistered(.standard))
    #expect(try await !client.isRegistered(Self.bob))
    #expect(try await client.authenticatedUserProfile()?.id == .standard)
    _ = try await client.deregister(.standard)
    #expect(try await !client.isRegistered(.standard))
    #expect(try await client.authenticatedUserProfile() == nil)
  }
}
