import CoreTestSupport

@testable import SDKCore

@Suite("A client secret")
struct ClientSecretTests {
  @Test(
    "that expired is an error before anything is sent, with a remedy",
    arguments: [
      ("client_secret_basic", true, .updating), ("client_secret_jwt", false, .replacing),
    ] as [(String, Bool, Remedy.Registering.Way)])
  func expiredSecret(method: String, isManaged: Bool, way: Remedy.Registering.Way) async throws {
    let world = try World()
    var client: JSONObject = [
      "client_id": "a", "client_secret": "s", "client_secret_expires_at": .time(World.now),
      "token_endpoint_auth_method": .string(method),
    ]
    if isManaged {
      client["registration_access_token"] = "t"
      client["registration_client_uri"] = "https://id.test/a"
    }
    try await world.save(client)
    let error = await expect(
      .clientExpired,
      "could not get a token for this installation: "
        + "the client secret expired at 2027-01-15T08:00:00Z"
    ) { _ = try await world.session().tokens.valid(for: .anonymous) }
    #expect(error?.remedy == .register(.init(way)))
    #expect(world.transport.lines == ["GET \(World.metadataURL)"])
  }

  @Test("that has not expired, or a key, is no error")
  func unexpired() throws {
    for (method, end, expired) in [
      ("client_secret_basic", 11, false), ("client_secret_basic", 10, true),
      ("private_key_jwt", 10, false), ("none", 10, false), ("client_secret_post", 0, false),
    ] as [(String, Int64, Bool)] {
      let registration = Registration(
        issuer: "i", source: .dynamic, obtained: 1,
        client: [
          "client_id": "a", "client_secret": "s", "client_secret_expires_at": .int(end),
          "token_endpoint_auth_method": .string(method),
        ])
      #expect(registration.hasExpiredSecret(at: 10) == expired)
    }
  }
}
