import CoreTestSupport

@testable import SDKCore

@Suite("The validation of a client")
struct ClientValidationTests {
  private static let url = "https://id.test/validate"

  private static func world(_ settings: JSONObject = [:]) async throws -> World {
    let world = try World(
      settings.merging(
        ["clientValidation": true, "endpoints.clientValidation": .string(url)],
        uniquingKeysWith: { old, _ in old }))
    try await world.register(["software_id": "app.id", "software_version": "1.2"])
    _ = try await world.store("a1", in: .anonymous)
    return world
  }

  @Test(
    "comes before the token of this installation, once in a session, if the profile asks for it")
  func once() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .json(#"{"client_id":"app"}"#))
    let session = try world.session()
    for _ in 1...2 { #expect(try await session.tokens.valid(for: .anonymous).accessToken == "a1") }
    let sent = world.transport.sent.filter { $0.url == Self.url }
    #expect(sent.count == 1)
    #expect(sent.first?.body.contains("software_version=1.2") == true)
    #expect(sent.first?.body.contains("platform=linux") == true)
    try world.set("clientValidation", to: false)
    _ = try await world.session().tokens.valid(for: .anonymous)
    #expect(world.transport.sent.count { $0.url == Self.url } == 1)
  }

  @Test(
    "that fails refuses the token, with the number and the hint of the vendor",
    arguments: [
      (#"{"error":"invalid_client"}"#, 401, ResourceError.deviceDeregistered, Remedy.registerAnew),
      (#"{"error":"x","error_code":9002}"#, 400, .deviceDeregistered, .registerAnew),
      (#"{"error":"x","error_code":9004}"#, 400, .outdatedApplication, .updateApplication),
      (#"{"error":"x","error_code":9005}"#, 400, .outdatedOS, .updateSystem),
    ])
  func refused(answer: String, status: Int, number: ResourceError, remedy: Remedy) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .json(answer, status: status))
    let session = try world.session()
    let error = await expect(.refused) { _ = try await session.tokens.valid(for: .anonymous) }
    #expect(error?.resource == number)
    #expect(error?.remedy == remedy)
  }

  @Test(
    "reads the registration of a server without the endpoint; 401 means that the client is gone",
    arguments: [("invalid_token", 401, true), ("invalid_request", 400, false)])
  func management(error: String, status: Int, isGone: Bool) async throws {
    let world = try World(["clientValidation": true])
    try await world.register([
      "registration_access_token": "t1",
      "registration_client_uri": "https://id.test/register/app",
    ])
    _ = try await world.store("a1", in: .anonymous)
    world.transport.respond(
      "https://id.test/register/app", .json(#"{"error":"\#(error)"}"#, status: status))
    let failure = await #expect(throws: SDKError.self) {
      _ = try await world.session().tokens.valid(for: .anonymous)
    }
    #expect((failure?.resource == .deviceDeregistered) == isGone)
    #expect((failure?.remedy == .registerAnew) == isGone)
  }

  @Test("lists the identity providers, else those of the profile")
  func identityProviders() async throws {
    let world = try await Self.world(["identityProviders": "own other"])
    world.transport.respond(
      Self.url,
      .json(#"{"client_id":"app","identity_providers":[{"id":"a","name":"A B"},{"id":"b"}]}"#),
      .json(#"{"client_id":"app"}"#))
    let session = try world.session()
    #expect(
      try await session.registration.identityProviders() == [
        IdentityProvider(id: "a", name: "A B"), IdentityProvider(id: "b", name: "b"),
      ])
    #expect(try await session.registration.identityProviders().map(\.id) == ["own", "other"])
  }

  @Test("lists no identity providers without an endpoint, unless the profile names some")
  func noIdentityProviders() async throws {
    for (own, expected) in [("a b", ["a", "b"]), (nil, nil)] as [(String?, [String]?)] {
      let world = try World(own.map { ["identityProviders": .string($0)] } ?? [:])
      try await world.register()
      let service = try world.session().registration
      guard let expected else {
        await expect(.unsupported) { try await service.identityProviders() }
        continue
      }
      #expect(try await service.identityProviders().map(\.id) == expected)
    }
    let world = try await Self.world(["identityProviders": "a"])
    world.transport.respond(Self.url, .json(#"{"error":"invalid_client"}"#, status: 401))
    let error = await #expect(throws: SDKError.self) {
      try await world.session().registration.identityProviders()
    }
    #expect(error?.code == .refused, "an error of the server is not hidden by the profile's own")
  }

  @Test("describes a client that was given, without storing it")
  func given() async throws {
    let world = try World(["clientID": "app", "endpoints.clientValidation": .string(Self.url)])
    world.transport.respond(Self.url, .json(#"{"client_id":"app","client_name":"theirs"}"#))
    let registration = try await world.session().registration.read()
    #expect(registration.client["client_name"] == "theirs")
    #expect(try await world.session().registration.current()?.client["client_name"] == nil)
  }

  @Test("refuses a description of another client")
  func other() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .json(#"{"client_id":"other"}"#))
    await expect(.untrusted) { try await world.session().registration.validate() }
  }
}
