import CoreTestSupport

@testable import SDKCore

@Suite("The key that tokens are bound to")
struct DPoPKeyTests {
  @Test("is made once for parallel callers, in a file that only its owner may read")
  func once() async throws {
    let world = try World()
    let thumbprints = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let session = try world.session()
          return try await session.server.dpop.proof(at: try await session.server.metadata())
            .thumbprint
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(thumbprints.count == 1)
    #expect(try world.folder.mode(of: World.dpopFile) == 0o600)
    #expect(try await world.session().tokens.dpopThumbprint() == thumbprints.first)
    try world.set("issuer", to: "https://other.test")
    #expect(try await world.session().tokens.dpopThumbprint() == nil)
  }

  @Test("is that of another process, which made one while this one waited")
  func madeMeanwhile() async throws {
    let (world, other) = (try World(), try World())
    let session = try world.session()
    let metadata = try await session.server.metadata()
    let made = try await other.session().server.dpop.proof(at: metadata).thumbprint
    let lock = try await ProfileLock.acquire(.dpop, of: world.name, at: world.location)
    let steps = SteppedExecutor()
    let waiting = Task(executorPreference: steps) {
      try await session.server.dpop.proof(at: metadata).thumbprint
    }
    steps.drain()
    try world.folder.write(other.folder.text(of: World.dpopFile), to: World.dpopFile)
    lock.release()
    steps.letRun()
    #expect(try await waiting.value == made)
  }

  @Test("is read without a lock once it was made")
  func withoutLock() async throws {
    let world = try World()
    let session = try world.session()
    let metadata = try await session.server.metadata()
    _ = try await session.server.dpop.proof(at: metadata)
    try world.folder.remove(World.locks)
    _ = try await world.session().server.dpop.proof(at: metadata)
    #expect(!world.folder.exists(World.locks))
  }

  @Test(
    "is refused if the file is not a key",
    arguments: ["{", #"{"version":2,"issuer":"https://id.test"}"#])
  func broken(text: String) async throws {
    let world = try World()
    try world.folder.write(text, to: World.dpopFile)
    await #expect(throws: SDKError.self) { try await world.session().tokens.dpopThumbprint() }
  }

  struct Grant: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var profile: String?
    var isRegistered = false
    /// The type of the user's token before.
    var type = "Bearer"
    let isProved: Bool
  }

  private static let grants: [Grant] = [
    Grant(testDescription: "nothing asks for it", isProved: false),
    Grant(testDescription: "off", profile: "off", isProved: false),
    Grant(testDescription: "on", profile: "on", isProved: true),
    Grant(testDescription: "required", profile: "required", isProved: true),
    Grant(testDescription: "registered", isRegistered: true, isProved: true),
    Grant(testDescription: "a bound token", type: "DPoP", isProved: true),
    Grant(testDescription: "a bound token, off", profile: "off", type: "DPoP", isProved: true),
  ]

  @Test("signs proofs of refreshes and exchanges if that was requested", arguments: grants)
  func user(grant: Grant) async throws {
    for slot in [CredentialSlot.user, .implicit] {
      let world = try await Self.world(grant)
      try await world.store("a1", lifetime: slot == .user ? 0 : 3600, type: grant.type)
      _ = try await world.session().tokens.valid(for: slot)
      let sent = try #require(world.transport.sent.last)
      #expect(sent.url == World.tokenURL)
      #expect(sent.fields.contains("DPoP") == grant.isProved)
      #expect(try await world.stored(slot)?.tokenType == (grant.isProved ? "DPoP" : "Bearer"))
      #expect(world.folder.exists(World.dpopFile) == grant.isProved)
    }
  }

  @Test(
    "signs a proof of this installation's grant if profile or registration require it",
    arguments: grants.filter { $0.type == "Bearer" })
  func device(grant: Grant) async throws {
    let world = try await Self.world(grant)
    _ = try await world.session().tokens.valid(for: .anonymous)
    #expect(world.transport.sent.last?.fields.contains("DPoP") == grant.isProved)
    #expect(try await world.stored(.anonymous)?.tokenType == (grant.isProved ? "DPoP" : "Bearer"))
  }

  @Test(
    "is not used if the server returns bearer tokens, unless it is required",
    arguments: ["on", "required"])
  func downgrade(setting: String) async throws {
    let world = try World(["dpop": .string(setting)])
    try await world.register()
    world.grant("a2")
    if setting == "on" {
      #expect(try await world.session().tokens.valid(for: .anonymous).tokenType == "Bearer")
    } else {
      await expect(
        .untrusted,
        "could not get a token for this installation: the server returned a bearer token, "
          + "but a token bound to a key is required"
      ) { _ = try await world.session().tokens.valid(for: .anonymous) }
      #expect(try await world.stored(.anonymous) == nil)
    }
  }

  @Test("is necessary if it is required: for each login and each stored token")
  func required() async throws {
    let world = try await Self.world(
      Grant(testDescription: "", profile: "required", isProved: true))
    let session = try world.session()
    let chosen = LoginOptions(bindsTokens: false)
    await expect(
      .policy,
      "could not log in: the profile requires tokens that are bound to a key (dpop=required)"
    ) { _ = try await session.login.logIn(by: .browser { _ in }, chosen) }
    try await world.store("a1", refreshToken: nil)
    await expect(
      .sessionExpired,
      "could not use the login of 'work': its token is bound to no key, which the profile "
        + "requires (dpop=required)"
    ) { _ = try await session.tokens.valid(for: .user) }
    try await world.store("d1", in: .anonymous)
    #expect(try await session.tokens.valid(for: .anonymous).tokenType == "DPoP")
    try await world.store("a1")
    #expect(try await session.tokens.valid(for: .user).tokenType == "DPoP")
    let injected = try world.session(injectedToken: "ci")
    await expect(
      .policy,
      "could not use the token of the environment: it is bound to no key, and the profile requires "
        + "that (dpop=required)"
    ) { _ = try await injected.tokens.valid(for: .user) }
  }

  @Test("binds tokens for good: none is refreshed to a bearer token")
  func refreshedToBearer() async throws {
    let world = try await Self.world(Grant(testDescription: "", isProved: true))
    try await world.store("a1", lifetime: 0, type: "DPoP")
    world.grant("a2")
    await expect(
      .untrusted,
      "could not refresh the token of 'work': the server returned a bearer token, but a "
        + "token bound to a key is required"
    ) { _ = try await world.session().tokens.valid(for: .user) }
  }

  @Test("stays after a logout, and is removed with the registration")
  func life() async throws {
    let world = try await Self.world(Grant(testDescription: "", profile: "on", isProved: true))
    world.transport.respond("https://id.test/revoke", .status(200))
    try await world.store("a1", lifetime: 0)
    _ = try await world.session().tokens.valid(for: .user)
    _ = try await world.session().login.logOut(.user, isLocal: false)
    #expect(world.folder.exists(World.dpopFile))
    _ = try await world.session().registration.deregister(isLocal: true)
    #expect(!world.folder.exists(World.dpopFile))
  }

  @Test("is removed if another client replaces the registration")
  func newClient() async throws {
    let world = try await Self.world(Grant(testDescription: "", profile: "on", isProved: true))
    _ = try await world.session().tokens.valid(for: .anonymous)
    #expect(world.folder.exists(World.dpopFile))
    _ = try await world.session().registration.use(
      existing:
        ExistingClient(clientID: "other", secret: "s", method: .basic, redirectURI: nil))
    #expect(!world.folder.exists(World.dpopFile))
  }

  @Test(
    "is announced when the client registers, if the profile asks for it", arguments: [true, false])
  func registration(isOn: Bool) async throws {
    let world = try World(["dpop": .string(isOn ? "on" : "off")])
    world.transport.respond(
      "https://id.test/register", .json(#"{"client_id":"new"}"#, status: 201))
    _ = try await world.session().registration.register(RegistrationOptions())
    let sent = try JSON(parsing: world.transport.sent.last?.body ?? "")
    #expect(sent["dpop_bound_access_tokens"] == (isOn ? true : nil))
  }

  @Test(
    "binds the code of a login too, pushed or not, unless the login says otherwise",
    arguments: [
      (nil, nil, false), (nil, true, true), ("on", nil, true), ("on", false, false),
    ] as [(String?, Bool?, Bool)])
  func authorization(setting: String?, option: Bool?, isBound: Bool) async throws {
    for pushes in [false, true] {
      let world = try World(["dpop": setting.map { .string($0) } ?? .null, "par": .bool(pushes)])
      try await world.register()
      world.transport.respond(
        "https://id.test/par", .json(#"{"request_uri":"urn:x","expires_in":9}"#, status: 201))
      let options = LoginOptions(bindsTokens: option)
      let session = try world.session()
      let flow = try await CodeFlow(session.login, options, redirectURI: "http://127.0.0.1:1/cb")
      let thumbprint = try await session.tokens.dpopThumbprint()
      #expect((thumbprint != nil) == isBound)
      let asked =
        pushes ? FormParameters(encoded: world.transport.sent.last?.body ?? "") : flow.request.query
      #expect(asked?["dpop_jkt"] == thumbprint)
    }
  }

  private static func world(_ grant: Grant) async throws -> World {
    let world = try World(["dpop": grant.profile.map { .string($0) } ?? .null])
    try await world.save([
      "client_id": "app", "client_secret": "s",
      "dpop_bound_access_tokens": .bool(grant.isRegistered),
    ])
    world.transport.respond(
      World.tokenURL,
      .json(
        """
        {"access_token":"a2","token_type":"\(grant.isProved ? "DPoP" : "Bearer")",\
        "expires_in":3600,"scope":"a"}
        """))
    return world
  }
}
