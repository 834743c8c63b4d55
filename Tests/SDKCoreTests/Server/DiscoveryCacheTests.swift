import CoreTestSupport

@testable import SDKCore

@Suite("Discovery cache")
struct DiscoveryCacheTests {
  @Test("is written once, and used for an hour without network")
  func fresh() async throws {
    let world = try World()
    let first = try await world.session().server.metadata()
    #expect(try first.url(of: .token)?.description == "https://id.test/token")
    #expect(world.transport.lines == ["GET \(World.metadataURL)"])
    let file = try Self.file(world)
    let json = try JSON(parsing: try world.folder.text(of: file))
    #expect(json["expires"] == .time(World.now + 3600))
    #expect(json["document"] == (try JSON(parsing: World.metadata)))
    world.now = world.now + 3599
    #expect(try await world.session().server.metadata() == first)
    #expect(world.transport.sent.count == 1)
    world.now = world.now + 1
    #expect(try await world.session().server.metadata() == first)
    #expect(world.transport.sent.count == 2)
  }

  @Test(
    "is ignored and written again if it cannot be used",
    arguments: [
      "", "{", "[]", #"{"version":2}"#,
      #"{"version":1,"expires":1800000100}"#,
      #"{"version":1,"expires":1800000100,"document":[]}"#,
      #"{"version":1,"expires":1800000100,"document":{"issuer":"https://evil.test"}}"#,
      // Expired, at this second, and further ahead than anything is kept.
      #"{"version":1,"expires":1799999999,"document":{"issuer":"https://id.test"}}"#,
      #"{"version":1,"expires":1800000000,"document":{"issuer":"https://id.test"}}"#,
      #"{"version":1,"expires":1800003601,"document":{"issuer":"https://id.test"}}"#,
      #"{"version":1,"expires":"1800000100","document":{"issuer":"https://id.test"}}"#,
    ])
  func unusable(text: String) async throws {
    let world = try World()
    _ = try await world.session().server.metadata()
    let file = try Self.file(world)
    let good = try world.folder.text(of: file)
    try world.folder.write(text, to: file)
    let metadata = try await world.session().server.metadata()
    #expect(try metadata.url(of: .token)?.description == "https://id.test/token")
    #expect(world.transport.sent.count == 2)
    #expect(try world.folder.text(of: file) == good)
  }

  @Test("is used to the last second")
  func edge() async throws {
    let world = try World()
    _ = try await world.session().server.metadata()
    try world.folder.write(
      #"{"version":1,"expires":1800003600,"document":{"issuer":"https://id.test","x":1}}"#,
      to: try Self.file(world))
    #expect(try await world.session().server.metadata().document["x"] == 1)
    #expect(world.transport.sent.count == 1)
  }

  @Test("is not shared between profiles")
  func perProfile() async throws {
    let world = try World()
    _ = try await world.session().server.metadata()
    var other = try world.store.profile(world.name)
    other = try Profile(name: try ProfileName("other"), members: other.members)
    try await world.store.add(other)
    let session = try ProfileSession(
      other.name, in: world.store, now: { World.now }, network: .scripted(world.transport))
    _ = try await session.server.metadata()
    #expect(world.transport.sent.count == 2)
    #expect(try world.folder.files().keys.count { $0.hasPrefix("cache/issuers/") } == 2)
  }

  @Test("that cannot be written causes one more request and no error")
  func unwritable() async throws {
    let world = try World()
    try world.folder.write("", to: "cache")
    _ = try await world.session().server.metadata()
    _ = try await world.session().server.metadata()
    #expect(world.transport.sent.count == 2)
  }

  @Test("contains the server's metadata, and the profile's endpoints override it")
  func overriding() async throws {
    let world = try World(["endpoints.token": "https://id.test/mine"])
    for _ in 0..<2 {
      let metadata = try await world.session().server.metadata()
      #expect(try metadata.url(of: .token)?.description == "https://id.test/mine")
      #expect(try metadata.url(of: .keys)?.description == "https://id.test/jwks")
    }
    #expect(world.transport.sent.count == 1)
    let json = try JSON(parsing: try world.folder.text(of: try Self.file(world)))
    #expect(json["document"]?["token_endpoint"] == "https://id.test/token")
  }

  @Test("a server without metadata is served when the profile names what a login needs")
  func unannounced() async throws {
    let world = try World([
      "endpoints.token": "https://id.test/t", "endpoints.authorization": "https://id.test/a",
    ])
    world.transport.respond(World.metadataURL, .status(404))
    world.transport.respond("https://id.test/.well-known/oauth-authorization-server", .status(404))
    let metadata = try await world.session().server.metadata()
    #expect(try metadata.url(of: .token)?.description == "https://id.test/t")
    #expect(try metadata.url(of: .revocation) == nil)
    _ = try await world.session().server.metadata(offering: .revocation)
    #expect(world.transport.sent.count == 4)
    #expect(!world.folder.exists("cache"))
    try world.set("endpoints.authorization", to: .null)
    await expect(.unsupported) { _ = try await world.session().server.metadata() }
  }

  @Test(
    "another issuer of the same origin is what the profile may mean, be it a final slash",
    arguments: [
      ("https://id.test/", "https://id.test/"),
      ("https://id.test/t/v2.0", "https://id.test/t/v2.0"),
      ("https://id.test.evil.test/", nil), ("https://evil.test", nil), ("http://id.test", nil),
      ("https://id.test/?a", nil), ("x", nil),
    ] as [(String, String?)])
  func otherIssuer(named: String, meant: String?) async throws {
    let world = try World()
    world.transport.respond(World.metadataURL, .json(#"{"issuer":"\#(named)"}"#))
    let error = await expect(.untrusted) { _ = try await world.session().server.metadata() }
    #expect(error?.remedy == meant.map { .setProfile(key: "issuer", value: $0) })
  }

  private static let otherURL = "https://id.test/.well-known/oauth-authorization-server"

  @Test("what OpenID discovery lacks is taken from the document of RFC 8414, and cached")
  func completed() async throws {
    let world = try World()
    world.transport.respond(
      World.metadataURL,
      .json(#"{"issuer":"https://id.test","token_endpoint":"https://id.test/token"}"#))
    world.transport.respond(
      Self.otherURL,
      .json(
        #"{"issuer":"https://id.test","token_endpoint":"https://id.test/other","#
          + #""revocation_endpoint":"https://id.test/revoke","scopes_supported":["a"]}"#))
    let metadata = try await world.session().server.metadata(offering: .revocation)
    #expect(try metadata.url(of: .revocation)?.description == "https://id.test/revoke")
    #expect(try metadata.url(of: .token)?.description == "https://id.test/token")
    #expect(metadata.words("scopes_supported") == ["a"])
    #expect(world.transport.lines == ["GET \(World.metadataURL)", "GET \(Self.otherURL)"])
    _ = try await world.session().server.metadata(offering: .revocation)
    #expect(world.transport.sent.count == 2)
  }

  @Test(
    "a document of RFC 8414 that is missing, broken or of another issuer changes nothing",
    arguments: [
      FakeTransport.Response.status(404), .status(500), .json("{"),
      .failure(.connection, "refused"),
      .json(#"{"issuer":"https://evil.test","revocation_endpoint":"https://evil.test/r"}"#),
    ])
  func uselessDocument(answer: FakeTransport.Response) async throws {
    let world = try World()
    world.transport.respond(
      World.metadataURL,
      .json(#"{"issuer":"https://id.test","token_endpoint":"https://id.test/token"}"#))
    world.transport.respond(Self.otherURL, answer)
    let metadata = try await world.session().server.metadata(offering: .revocation)
    #expect(try metadata.url(of: .revocation) == nil)
    #expect(try metadata.url(of: .token)?.description == "https://id.test/token")
  }

  @Test("a cached document that lacks a required member is fetched again, once a session")
  func switchedOn() async throws {
    let world = try World()
    let without = World.metadata.replacing("registration_endpoint", with: "x")
    world.transport.respond(World.metadataURL, .json(without))
    world.transport.respond(Self.otherURL, .status(404))
    let session = try world.session()
    #expect(
      try await session.server.metadata(offering: .registration).url(of: .registration) == nil)
    #expect(
      try await session.server.metadata(offering: .registration).url(of: .registration) == nil)
    #expect(world.transport.lines.count { $0 == "GET \(World.metadataURL)" } == 1)
    // Somebody switches it on at the server, within the hour of the cache.
    world.transport.respond(World.metadataURL, .json(World.metadata))
    let metadata = try await world.session().server.metadata(offering: .registration)
    #expect(try metadata.url(of: .registration)?.description == "https://id.test/register")
    let sent = world.transport.sent.count
    _ = try await world.session().server.metadata(offering: .registration)
    #expect(world.transport.sent.count == sent)
  }

  @Test("an unusable endpoint is no error if it is overridden or not needed")
  func relativeURL() async throws {
    let world = try World(["endpoints.token": "https://id.test/mine"])
    let relative = World.metadata.replacing("https://id.test/token", with: "/token")
      .replacing("https://id.test/revoke", with: "/revoke")
    world.transport.respond(World.metadataURL, .json(relative))
    world.transport.respond(Self.otherURL, .status(404))
    let metadata = try await world.session().server.metadata(offering: .token, .registration)
    #expect(try metadata.url(of: .token)?.description == "https://id.test/mine")
    #expect(world.transport.sent.count == 1)
    #expect(throws: OAuthError.self) { _ = try metadata.url(of: .revocation) }
  }

  private static func file(_ world: World) throws -> String {
    try #require(try world.folder.files().keys.first { $0.hasPrefix("cache/issuers/") })
  }
}
