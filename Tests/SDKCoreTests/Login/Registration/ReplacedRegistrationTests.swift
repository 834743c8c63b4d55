import CoreTestSupport

@testable import SDKCore

@Suite("A registration in place of another")
struct ReplacedRegistrationTests {
  private static let management = "https://id.test/register/app"
  private static let revocation = "https://id.test/revoke"
  private static let registration = "https://id.test/register"

  private static func world(
    issuer: String = "https://id.test", source: Registration.Source = .dynamic
  ) async throws -> World {
    let world = try World()
    let client: JSONObject = [
      "client_id": "app", "client_secret": "s", "registration_access_token": "t1",
      "registration_client_uri": .string(management),
      "redirect_uris": ["http://127.0.0.1:8400/callback"],
    ]
    try await world.save(client, issuer: issuer, source: source)
    if issuer == "https://id.test" { try await world.store("a1") }
    world.transport.respond(revocation, .status(200))
    world.transport.respond(management, .status(204))
    world.transport.respond(registration, .json(#"{"client_id":"new"}"#, status: 201))
    return world
  }

  private static let revoked = [
    LogoutStep(action: .revokeRefreshToken, outcome: .done, slot: .user),
    LogoutStep(action: .revokeAccessToken, outcome: .done, slot: .user),
    LogoutStep(action: .erase, outcome: .done, slot: .user),
  ]

  @Test("revokes the tokens of the former client and deletes it first, and keeps the port")
  func deleted() async throws {
    let world = try await Self.world()
    let registration = try await world.session().registration.register(RegistrationOptions())
    #expect(registration.clientID == "new")
    #expect(
      registration.formerSteps == Self.revoked + [
        LogoutStep(action: .deleteRegistration, outcome: .done),
        LogoutStep(action: .eraseRegistration, outcome: .done),
      ])
    #expect(world.notices == registration.formerSteps.map { .endedClient($0) })
    #expect(
      world.transport.lines == [
        "GET \(World.metadataURL)", "POST \(Self.revocation)", "POST \(Self.revocation)",
        "DELETE \(Self.management)", "POST \(Self.registration)",
      ])
    #expect(world.transport.sent.last?.body.contains(#""http://127.0.0.1:8400/callback""#) == true)
    #expect(try await world.session().registration.current()?.clientID == "new")
    #expect(try await world.stored() == nil)
  }

  @Test("takes the place of one whose tokens are damaged, which deregistration keeps")
  func damagedTokens() async throws {
    let world = try await Self.world()
    try world.folder.write("{", to: World.userFile)
    await #expect(throws: SDKError.self) {
      try await world.session().registration.deregister(isLocal: false)
    }
    #expect(try world.folder.text(of: World.userFile) == "{")
    #expect(try await world.session().registration.current()?.clientID == "app")
    let registration = try await world.session().registration.register(RegistrationOptions())
    #expect(registration.clientID == "new")
    #expect(!world.folder.exists(World.userFile))
  }

  @Test("is not made in place of one of a newer version")
  func newer() async throws {
    for file in [World.userFile, "state/profiles/work/registration.json"] {
      let world = try await Self.world()
      let text = #"{"version":99,"issuer":"https://id.test"}"#
      try world.folder.write(text, to: file)
      let error = await #expect(throws: SDKError.self) {
        try await world.session().registration.register(RegistrationOptions())
      }
      #expect(error?.code == .storeVersion, "\(file)")
      #expect(try world.folder.text(of: file) == text)
    }
  }

  @Test("by a client that was given does the same")
  func given() async throws {
    let world = try await Self.world()
    let registration = try await world.session().registration.use(
      existing: ExistingClient(clientID: "mine", secret: nil, method: .none, redirectURI: nil))
    #expect(registration.redirectURIs == ["http://127.0.0.1:8400/callback"])
    #expect(
      registration.formerSteps.map(\.action).suffix(2) == [.deleteRegistration, .eraseRegistration])
    #expect(world.transport.lines.contains("DELETE \(Self.management)"))
    #expect(try await world.session().registration.current()?.clientID == "mine")
  }

  @Test("by the same client, which was given again, does not delete it")
  func same() async throws {
    let world = try await Self.world()
    let registration = try await world.session().registration.use(
      existing: ExistingClient(clientID: "app", secret: "s2", method: .basic, redirectURI: nil))
    #expect(
      registration.formerSteps == Self.revoked + [
        LogoutStep(
          action: .deleteRegistration, outcome: .skipped("the same client takes its place")),
        LogoutStep(
          action: .eraseRegistration, outcome: .skipped("another one takes its place")),
      ])
    #expect(!world.transport.lines.contains("DELETE \(Self.management)"))
  }

  @Test("of a client that was given revokes its tokens only")
  func ofGiven() async throws {
    let world = try await Self.world(source: .given)
    let registration = try await world.session().registration.register(RegistrationOptions())
    #expect(Array(registration.formerSteps.prefix(3)) == Self.revoked)
    #expect(
      registration.formerSteps.last
        == LogoutStep(
          action: .eraseRegistration, outcome: .skipped("another one takes its place")))
    #expect(!world.transport.lines.contains("DELETE \(Self.management)"))
    #expect(try await world.session().registration.current()?.clientID == "new")
  }

  @Test("is not made if the server could not be asked to delete the former one")
  func unreachable() async throws {
    for answer in [FakeTransport.Response.status(503), .failure(.timeout, "slow")] {
      let world = try await Self.world()
      world.transport.respond(Self.management, answer)
      await expect(.network) {
        _ = try await world.session().registration.register(RegistrationOptions())
      }
      #expect(!world.transport.lines.contains("POST \(Self.registration)"))
      #expect(try await world.session().registration.current()?.clientID == "app")
    }
  }

  @Test("is made if the server no longer knows the former one", arguments: [401, 404])
  func forgotten(status: Int) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.management, .status(status))
    let registration = try await world.session().registration.register(RegistrationOptions())
    guard let outcome = registration.formerSteps.dropLast().last?.outcome else {
      throw Unmet("there was no deletion")
    }
    #expect((outcome == .skipped("the server no longer has it")) == (status == 404))
    #expect(try await world.session().registration.current()?.clientID == "new")
  }

  @Test("leaves the former one if the server does not delete it, and refuses the new one")
  func refused() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.management, .status(403))
    world.transport.respond(Self.registration, .json(#"{"error":"invalid_token"}"#, status: 401))
    await #expect(throws: SDKError.self) {
      _ = try await world.session().registration.register(RegistrationOptions())
    }
    #expect(world.notices.count == Self.revoked.count + 2)
    #expect(try await world.session().registration.current()?.clientID == "app")
  }

  @Test("of another issuer asks nothing of that one")
  func otherIssuer() async throws {
    let world = try await Self.world(issuer: "https://old.test")
    let registration = try await world.session().registration.register(RegistrationOptions())
    #expect(
      registration.formerSteps.first
        == LogoutStep(
          action: .deleteRegistration,
          outcome: .skipped("it is of another issuer, 'https://old.test'")))
    #expect(world.transport.lines == ["GET \(World.metadataURL)", "POST \(Self.registration)"])
    #expect(try await world.session().registration.current()?.clientID == "new")
  }

  @Test("of one that is damaged is made all the same", arguments: ["", "{", #"{"version":2}"#])
  func damaged(text: String) async throws {
    let world = try await Self.world()
    try world.folder.write(text, to: "state/profiles/work/registration.json")
    try world.folder.write("{", to: World.userFile)
    let registration = try await world.session().registration.register(RegistrationOptions())
    #expect(registration.formerSteps.last?.action == .eraseRegistration)
    #expect(try await world.session().registration.current()?.clientID == "new")
    #expect(try await world.stored() == nil)
  }

  @Test("is stored under the lock of the registration also if the task is cancelled meanwhile")
  func cancelled() async throws {
    let world = try await Self.world()
    let session = try world.session()
    let lock = world.location.lock(.registration, of: world.name).text
    let task = Mutex<Task<Registration, any Error>?>(nil)
    let wasFree = Mutex(true)
    var answer = FakeTransport.Response.json(#"{"client_id":"new"}"#, status: 201)
    answer.effect = {
      let isFree = (try? FileLock.attempt(lock) != nil) ?? true
      wasFree.withLock { $0 = isFree }
      task.withLock { $0?.cancel() }
    }
    world.transport.respond(Self.registration, answer)
    let registering = task.withLock { task in
      let new = Task { try await session.registration.register(RegistrationOptions()) }
      task = new
      return new
    }
    #expect(try await registering.value.clientID == "new")
    #expect(wasFree.withLock { !$0 })
    #expect(try await world.session().registration.current()?.clientID == "new")
  }

  @Test("ends the former one also if that is made at the same time")
  func parallel() async throws {
    let world = try World()
    let answers = ["1", "2"].map { id in
      FakeTransport.Response.json(
        """
        {"client_id":"\(id)","registration_access_token":"t",\
        "registration_client_uri":"\(Self.registration)/\(id)"}
        """, status: 201)
    }
    world.transport.respond(Self.registration, answers)
    world.transport.respond("\(Self.registration)/1", .status(204))
    async let one = world.session().registration.register(RegistrationOptions())
    async let other = world.session().registration.register(RegistrationOptions())
    #expect(try await Set([one.clientID, other.clientID]) == ["1", "2"])
    #expect(
      world.transport.lines.filter { $0.hasPrefix("DELETE") } == ["DELETE \(Self.registration)/1"])
    #expect(try await world.session().registration.current()?.clientID == "2")
  }

  @Test("takes the port of the profile, if it has one")
  func port() async throws {
    let world = try await Self.world()
    try world.set("redirectPort", to: 9000)
    _ = try await world.session().registration.register(RegistrationOptions())
    #expect(world.transport.sent.last?.body.contains("http://127.0.0.1:9000/callback") == true)
  }
}
