import CoreTestSupport

@testable import SDKCore

@Suite("Deregistration")
struct DeregistrationTests {
  private static let url = "https://id.test/register/app"

  @Test(
    "on this machine alone clears a registration that is damaged, and says so",
    arguments: ["", "{", "[]", #"{"version":2}"#, #"{"version":2,"issuer":"i","source":"x"}"#])
  func damaged(text: String) async throws {
    let world = try await Self.world()
    let file = "state/profiles/work/registration.json"
    try world.folder.write(text, to: file)
    await #expect(throws: SDKError.self) {
      try await world.session().registration.deregister(isLocal: false)
    }
    #expect(try world.folder.text(of: file) == text)
    let steps = try await world.session().registration.deregister(isLocal: true)
    #expect(steps.last == LogoutStep(action: .eraseRegistration, outcome: .done))
    guard case .skipped(let reason)? = steps.dropLast().last?.outcome else {
      throw Unmet("the deletion was not skipped")
    }
    #expect(reason.hasPrefix("it is damaged, and was not read (could not read '"))
    #expect(!world.folder.exists(file))
    #expect(try await world.stored() == nil)
    #expect(world.transport.sent.isEmpty)
  }

  @Test("on this machine alone leaves a registration of a newer version alone")
  func newer() async throws {
    let world = try await Self.world()
    let file = "state/profiles/work/registration.json"
    try world.folder.write(#"{"version":3}"#, to: file)
    await #expect(throws: SDKError.self) {
      try await world.session().registration.deregister(isLocal: true)
    }
    #expect(world.folder.exists(file))
  }

  @Test("of another issuer's registration is not requested here, but it is forgotten if local")
  func otherIssuer() async throws {
    let world = try await Self.world(issuer: "https://old.test")
    let message =
      "could not use the registration of 'work': it is of another issuer, 'https://old.test'"
    await expect(.registeredElsewhere, message) {
      _ = try await world.session().registration.deregister(isLocal: false)
    }
    #expect(try await world.stored()?.accessToken == "a1")
    let steps = try await world.session().registration.deregister(isLocal: true)
    #expect(steps.suffix(2).map(\.outcome) == [.skippedAsLocal, .done])
    #expect(try await world.session().registration.current() == nil)
    #expect(try await world.stored() == nil)
    #expect(world.transport.sent.isEmpty)
  }

  @Test("only forgets a client that was given, and fails for one that nobody can delete")
  func unmanaged() async throws {
    let world = try World()
    _ = try await world.session().registration.use(
      existing:
        ExistingClient(clientID: "mine", secret: nil, method: .none, redirectURI: nil))
    let given = try await world.session().registration.deregister(isLocal: false)
    #expect(
      given == [
        LogoutStep(
          action: .deleteRegistration,
          outcome: .skipped("the client was given, not registered from here")),
        LogoutStep(action: .eraseRegistration, outcome: .done),
      ])
    #expect(try await world.session().registration.current() == nil)
    try await world.register()
    let orphan = try await world.session().registration.deregister(isLocal: false)
    guard case .failed(let error) = orphan.first?.outcome else {
      throw Unmet("the deletion did not fail")
    }
    #expect(error.code == .unsupported)
    #expect(try await world.session().registration.current()?.clientID == "app")
    #expect(Set(world.transport.lines) == ["GET \(World.metadataURL)"])
  }

  @Test("of nothing does nothing")
  func nothing() async throws {
    for settings in [[:], ["clientID": "public"]] as [JSONObject] {
      let world = try World(settings)
      #expect(try await world.session().registration.deregister(isLocal: false).isEmpty)
      #expect(world.transport.sent.isEmpty)
    }
  }

  private static func world(issuer: String = "https://id.test") async throws -> World {
    let world = try World()
    let client: JSONObject = [
      "client_id": "app", "client_secret": "s", "registration_access_token": "t1",
      "registration_client_uri": .string(url),
    ]
    try await world.save(client, issuer: issuer)
    try await world.store("a1")
    try await world.store("d1", refreshToken: nil, in: .anonymous)
    return world
  }
}
