import CoreTestSupport

@testable import SDKCore

@Suite("A damaged slot file")
struct DamagedSlotTests {
  private static let damages = ["", "{", "[1]", #"{"version":2,"issuer":"https://id.test"}"#]

  @Test("names its tokens as what must be erased", arguments: CredentialSlot.allCases)
  func refused(slot: CredentialSlot) async throws {
    let world = try await Self.world()
    try world.folder.write("{", to: Self.file(slot))
    let error = await expect(
      .store,
      "could not read '\(world.folder.path)/\(Self.file(slot))': "
        + "expected a member name at line 1, column 2"
    ) { _ = try await world.session().tokens.valid(for: slot) }
    #expect(error?.remedy == .eraseTokens(slot))
    #expect(try world.folder.text(of: Self.file(slot)) == "{")
  }

  @Test("is not looked at for the user of a token from outside the store")
  func injected() async throws {
    let world = try await Self.world()
    try world.folder.write(#"{"version":99}"#, to: Self.file(.implicit))
    for (token, code) in [(nil, .storeVersion), ("x", .notAuthenticated)]
      as [(String?, SDKError.Code)]
    {
      let session = try world.session(injectedToken: token)
      let error = await #expect(throws: SDKError.self) {
        try await session.tokens.valid(for: .implicit, TokenDemand(forceNew: true))
      }
      #expect(error?.code == code)
    }
  }

  @Test("is erased by a local logout, which says so", arguments: damages)
  func localLogout(text: String) async throws {
    for slot in CredentialSlot.allCases {
      let world = try await Self.world()
      try world.folder.write(text, to: Self.file(slot))
      let steps = try await world.session().login.logOut(slot, isLocal: true)
      #expect(steps.map(\.action) == [.revokeRefreshToken, .revokeAccessToken, .erase])
      #expect(steps.last?.outcome == .done)
      for step in steps.dropLast() {
        guard case .skipped(let reason) = step.outcome else {
          Issue.record("not skipped: \(step)")
          continue
        }
        #expect(reason.hasPrefix("the tokens are damaged (could not read '"))
      }
      #expect(!world.folder.exists(Self.file(slot)))
      #expect(world.notices.count == 1)
      guard case .damagedTokens(slot, _) = world.notices.first else {
        throw Unmet("told \(world.notices)")
      }
      #expect(world.transport.sent.isEmpty)
    }
  }

  @Test("is erased at a local logout of the user if it is the implicit token's")
  func implicitOfUser() async throws {
    let world = try await Self.world()
    try await world.store("u1")
    try world.folder.write("{", to: Self.file(.implicit))
    let steps = try await world.session().login.logOut(.user, isLocal: true)
    #expect(steps.map(\.slot) == [.implicit, .implicit, .implicit, nil, nil, nil])
    #expect(try await world.stored() == nil)
    #expect(!world.folder.exists(Self.file(.implicit)))
  }

  @Test("is not erased by a logout that cannot revoke its tokens; nothing else is either")
  func logout() async throws {
    let world = try await Self.world()
    try await world.store("u1")
    try world.folder.write("{", to: Self.file(.implicit))
    let error = await #expect(throws: SDKError.self) {
      _ = try await world.session().login.logOut(.user, isLocal: false)
    }
    #expect(error?.remedy == .eraseTokens(.implicit))
    #expect(try await world.stored()?.accessToken == "u1")
    #expect(world.folder.exists(Self.file(.implicit)))
    #expect(world.transport.sent.isEmpty)
  }

  @Test("is replaced by a login, which says so", arguments: damages)
  func login(text: String) async throws {
    let world = try await Self.world()
    try world.folder.write(text, to: Self.file(.user))
    let person = Person(["code=c&state=STATE"])
    _ = try await world.session().login.logIn(by: person.way)
    #expect(try await world.stored()?.accessToken == "a9")
    #expect(world.notices.count == 1)
    try world.folder.write(text, to: Self.file(.anonymous))
    _ = try await world.session().tokens.valid(
      for: .anonymous, TokenDemand(forceNew: true))
    #expect(try await world.stored(.anonymous)?.accessToken == "a9")
    #expect(world.notices.count == 2)
    try world.folder.write(text, to: Self.file(.implicit))
    try await world.store("u1")
    _ = try await world.session().login.silently(scope: nil)
    #expect(try await world.stored(.implicit)?.accessToken == "a9")
    #expect(world.notices.count == 3)
  }

  @Test(
    "of a newer version, or open to others, is not damaged: it stays", arguments: [true, false])
  func kept(isNewer: Bool) async throws {
    let world = try await Self.world()
    let text = isNewer ? #"{"version":3}"# : #"{"version":2}"#
    try world.folder.write(text, to: Self.file(.user), mode: isNewer ? 0o600 : 0o644)
    let error = await #expect(throws: SDKError.self) {
      _ = try await world.session().login.logOut(.user, isLocal: true)
    }
    #expect(error?.code == (isNewer ? .storeVersion : .storePermissions))
    #expect(try world.folder.text(of: Self.file(.user)) == text)
    #expect(world.notices.isEmpty)
  }

  private static func file(_ slot: CredentialSlot) -> String {
    "state/profiles/work/credentials/\(slot.rawValue).json"
  }

  private static func world() async throws -> World {
    let world = try await World.registered()
    world.transport.respond(World.tokenURL, .token("a9"))
    return world
  }
}
