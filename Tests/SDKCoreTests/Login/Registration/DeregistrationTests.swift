import CoreTestSupport

@testable import SDKCore

@Suite("Deregistration")
struct DeregistrationTests {
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

  private static func world() async throws -> World {
    let world = try World()
    let client: JSONObject = [
      "client_id": "app", "client_secret": "s", "registration_access_token": "t1",
      "registration_client_uri": "https://id.test/register/app",
    ]
    try await world.save(client)
    try await world.store("a1")
    try await world.store("d1", refreshToken: nil, in: .anonymous)
    return world
  }
}
