import CoreTestSupport

@testable import Checkup
@testable import SDKCore

@Suite("The health of a profile at its servers")
struct ServerHealthTests {
  private static let url = "https://id.test/register/app"

  private static func finding(
    _ check: Finding.Check, _ world: World
  ) async throws -> Finding {
    let health = ServerHealth(session: try world.session(), soon: World.now)
    return try #require(await health.findings().first { $0.check == check })
  }

  @Test("needs no metadata if the profile names the endpoints")
  func endpoints() async throws {
    let world = try World([
      "discovery": false, "endpoints.authorization": "https://id.test/a",
      "endpoints.token": "https://id.test/t",
    ])
    let health = ServerHealth(session: try world.session(), soon: World.now)
    let found = await health.findings().filter { $0.check != .serverPins }
    #expect(found.map(\.check) == [.discovery, .keys])
    #expect(found[0].severity == .ok && found[0].text == "the profile names the endpoints itself")
    #expect(!world.transport.lines.contains("GET \(World.metadataURL)"))
  }

  @Test("has the hosts with pins if the profile names no server")
  func pinsAlone() async throws {
    let world = try World(["issuer": .null, "resourceURL": .null])
    let pattern = try #require(PinPattern("a.test:8443"))
    let pin = try #require(Pin("sha256/YQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))
    try await world.session().pinning.change {
      $0.adding(PinSet(pattern, keys: [PinnedKey(pin: pin, role: .leaf)]))
    }
    let found = try await Self.finding(.serverPins, world)
    #expect(found.subject == "a.test:8443")
  }

  @Test("writes nothing, and does not ask for the registration, whose token that may replace")
  func reading() async throws {
    let world = try World()
    try await world.register([
      "registration_access_token": "t1", "registration_client_uri": .string(Self.url),
    ])
    try await world.store("u1")
    world.transport.respond("https://id.test/jwks", .json(#"{"keys":[]}"#))
    let before = try world.folder.files()
    let checkup = HealthCheckup(
      world.store, Environment([:]), .scripted(world.transport), ConnectionOptions(userAgent: "t"),
      browser: .absent, now: World.now
    ) { _ in try world.session(writesNothing: true) }
    var online = checkup
    online.isOnline = true
    let checks = Set(await online.findings().map(\.check))
    #expect(checks.isSuperset(of: [.discovery, .keys, .serverPins]))
    #expect(try world.folder.files() == before)
    #expect(world.transport.lines.allSatisfy { !$0.contains(Self.url) })
    // Without it the same session keeps what the server said.
    _ = try await world.session().metadata(isFresh: true)
    #expect(try world.folder.files() != before)
  }
}
