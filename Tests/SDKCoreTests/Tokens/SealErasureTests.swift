import CoreTestSupport

@testable import SDKCore

@Suite("What goes with a seal")
struct SealErasureTests {
  private static let passcode = Array("27182".utf8)
  private static let registration = "state/profiles/work/registration.json"

  private static func erase(_ session: ProfileSession) async throws {
    let sealed = try session.tokens.slots.seal.read()
    try await session.environment.erase(sealed)
  }

  private static func world() async throws -> World {
    let world = try await World.loggedIn(exchanges: false)
    let server = try world.session().server
    _ = try await server.dpop.proof(at: try await server.metadata())
    try await world.identities().save(try TestIdentity.make("plain", hosts: []))
    return world
  }

  @Test("is what it has sealed, and nothing else")
  func sealed() async throws {
    let world = try await Self.world()
    try await world.store("app-1", in: .anonymous)
    try await world.store("i1", refreshToken: nil, in: .implicit)
    try await world.session().seal.seal([.user], asking: KnownPasscode(Self.passcode))
    try await Self.erase(world.session())
    #expect(try await world.stored() == nil)
    // The implicit token is the user's.
    #expect(try await world.stored(.implicit) == nil)
    #expect(try await world.stored(.anonymous)?.accessToken == "app-1")
    #expect(world.folder.exists(Self.registration) && world.folder.exists(World.dpopFile))
    #expect(try world.identities().names().map(\.description) == ["plain"])
  }

  @Test("is not the profile's if it is the seal of another user than the first")
  func otherUser() async throws {
    let world = try await Self.world()
    let parts: Set<SealedPart> = [.client, .dpop, .identity]
    try await world.session().seal.seal(parts, asking: KnownPasscode(Self.passcode))
    let bob = try world.session(of: try UserID("bob"))
    try await bob.seal.seal([.user], asking: KnownPasscode(Self.passcode))
    try await Self.erase(bob)
    #expect(world.folder.exists(Self.registration) && world.folder.exists(World.dpopFile))
    #expect(try world.identities().names().map(\.description) == ["plain"])
    try await Self.erase(world.session())
    #expect(!world.folder.exists(Self.registration) && !world.folder.exists(World.dpopFile))
    #expect(try world.identities().names() == [])
  }

  @Test("is what the seal names, also where it cannot be read, and a helper that fails is an error")
  func unreadable() async throws {
    let world = try await Self.world()
    let parts: Set<SealedPart> = [.client, .dpop, .identity]
    try await world.session().seal.seal(parts, asking: KnownPasscode(Self.passcode))
    let odd = "state/profiles/work/identities/foo bar/client.pem"
    try world.folder.write("key", to: odd)
    let place = "state/profiles/work/place.json"
    try world.folder.write(#"{"version":2,"place":"helper:no-such","id":"one"}"#, to: place)
    for isStopped in [false, true] {
      if isStopped { try await world.session().tokens.slots.seal.stop() }
      let error = await #expect(throws: SDKError.self) { try await Self.erase(world.session()) }
      #expect(error?.message.contains("docker-credential-no-such") == true)
    }
    try world.folder.remove(place)
    let seal = "state/profiles/work/seal.json"
    let stopped = try world.folder.text(of: seal)
    try world.folder.write(
      stopped.replacing("\"parts\": []", with: #""parts": ["client"]"#), to: seal)
    try world.folder.write("{", to: Self.registration)
    try await Self.erase(world.session())
    #expect(!world.folder.exists(Self.registration) && !world.folder.exists(World.dpopFile))
    #expect(try world.identities().names() == [] && world.folder.exists(odd))
  }

  @Test("is not asked for again before a login if the slots are sealed already")
  func required() async throws {
    let world = try await World.loggedIn(exchanges: false, ["seal.slots": "user"])
    let action = "could not seal 'work'"
    await expect(
      .notAuthenticated, "\(action): 'work' is sealed, and nobody can be asked for the passcode"
    ) { try await world.session().tokens.slots.requireSeal() }
    try await world.session(passcode: KnownPasscode(Self.passcode)).tokens.slots.requireSeal()
    let file = "state/profiles/work/seal.json"
    let before = try world.folder.text(of: file)
    try world.folder.write(
      #"{"version":2,"place":"etcd:https://etcd.test/p","id":"one"}"#,
      to: "state/profiles/work/place.json")
    try await world.session().tokens.slots.requireSeal()
    #expect(try world.folder.text(of: file) == before)
    // Nothing more is sealed on this machine alone: others use the place.
    try world.folder.remove(file)
    await expect(
      .policy, "\(action): other machines use its secrets too, and have no passcode"
    ) { try await world.session(passcode: KnownPasscode(Self.passcode)).tokens.slots.requireSeal() }
    #expect(!world.folder.exists(file))
  }
}
