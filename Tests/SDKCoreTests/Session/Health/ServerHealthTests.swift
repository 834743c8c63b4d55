import JSON
import Primitives
import TestSupport
import Testing

@testable import SDKCore

@Suite("The health of a profile at its servers")
struct ServerHealthTests {
  private static let url = "https://id.test/register/app"

  private static func finding(
    _ check: HealthCheck, _ world: World
  ) async throws -> HealthFinding {
    let health = ServerHealth(session: try world.session(), readsSecrets: true, soon: World.now)
    return try #require(await health.findings().first { $0.check == check })
  }

  @Test("needs no metadata if the profile names the endpoints")
  func endpoints() async throws {
    let world = try World([
      "discovery": false, "endpoints.authorization": "https://id.test/a",
      "endpoints.token": "https://id.test/t",
    ])
    let found = try await Self.finding(.discovery, world)
    #expect(found.severity == .ok && found.message == "the profile names the endpoints itself")
    #expect(!world.transport.lines.contains("GET \(World.metadataURL)"))
  }

  @Test(
    "asks about a registration that was made here, and takes no PIN",
    arguments: [(.dynamic, false, true), (.given, false, false), (.dynamic, true, false)]
      as [(Registration.Source, Bool, Bool)])
  func registration(source: Registration.Source, isSealed: Bool, isAsked: Bool) async throws {
    let world = try World()
    let client: JSONObject = [
      "client_id": "app", "client_secret": "s", "registration_access_token": "t1",
      "registration_client_uri": .string(Self.url),
    ]
    try await RegistrationStore(ProfileSecrets(location: world.location, profile: world.name)).save(
      Registration(issuer: "https://id.test", source: source, obtained: 7, client: client))
    world.transport.respond(Self.url, .json(JSON.object(client).serialized()))
    if isSealed {
      try await world.store("u1")
      try await world.session().seal.seal(
        [.user], [.client], asking: KnownPIN(Array("27182".utf8)))
    }
    let found = try await Self.finding(.serverRegistration, world)
    #expect(found.severity == .ok)
    #expect(
      found.message
        == (isAsked ? "the server knows this installation" : "the server cannot be asked about it"))
    #expect(world.transport.lines.contains("GET \(Self.url)") == isAsked)
  }
}
