import CoreTestSupport

@testable import SDKCore

@Suite("Keys on disk")
struct KeyFilesTests {
  @Test("are written once for a profile, and used by the next session")
  func shared() async throws {
    let (world, issuer) = try Self.world()
    try await Self.verify(world, issuer)
    let file = try Self.file(world)
    let json = try JSON(parsing: try world.folder.text(of: file))
    #expect(json["document"] == (try JSON(parsing: issuer.document)))
    #expect(json["expires"] == .time(World.now + 3600))
    #expect(json["retried"] == nil)
    try await Self.verify(world, issuer)
    #expect(Self.asked(world) == 1)
    world.now = world.now + 3600
    try await Self.verify(world, issuer)
    #expect(Self.asked(world) == 2)
  }

  @Test(
    "are ignored and written again if they cannot be used",
    arguments: [
      "", "{", "[]", #"{"version":2}"#, #"{"version":1,"document":{"keys":[]}}"#,
      #"{"version":1,"document":[],"expires":1800000100}"#,
      #"{"version":1,"document":{"keys":[]},"expires":-1}"#,
      #"{"version":1,"document":{"keys":[]},"expires":"1800000100"}"#,
      #"{"version":1,"document":{"keys":[]},"expires":1800086401}"#,
      #"{"version":1,"document":{"keys":[]},"expires":1800000000}"#,
    ])
  func unusable(text: String) async throws {
    let (world, issuer) = try Self.world()
    try await Self.verify(world, issuer)
    let file = try Self.file(world)
    let good = try world.folder.text(of: file)
    try world.folder.write(text, to: file)
    try await Self.verify(world, issuer)
    #expect(Self.asked(world) == 2)
    #expect(try world.folder.text(of: file) == good)
  }

  @Test("are other files with other trust, and of another address")
  func trust() async throws {
    let (world, issuer) = try Self.world()
    try await Self.verify(world, issuer)
    try world.set("pinPolicy", to: "report")
    try await Self.verify(world, issuer)
    #expect(Self.asked(world) == 2)
    try world.set("endpoints.jwks", to: "https://id.test/other")
    world.transport.respond("https://id.test/other", .json(issuer.document))
    try await Self.verify(world, issuer)
    let files = try world.folder.files().keys.filter { $0.hasPrefix("cache/jwks/") }
    #expect(files.count == 3)
  }

  @Test("of the profile's issuer are where the profile says, however they are asked for")
  func profileURL() async throws {
    let (world, issuer) = try Self.world()
    try world.set("endpoints.jwks", to: "https://id.test/other")
    world.transport.respond("https://id.test/other", .json(issuer.document))
    let session = try world.session()
    for keys in [
      try await session.issuerKeys(), try await session.keys.keys(of: Issuer("https://id.test")),
    ] {
      #expect(keys.url.description == "https://id.test/other")
      #expect(try await keys.current().keys.keys.count == 1)
    }
  }

  @Test("that cannot be written cause one more request and no error")
  func unwritable() async throws {
    let (world, issuer) = try Self.world()
    try world.folder.write("", to: "cache/jwks")
    try await Self.verify(world, issuer)
    try await Self.verify(world, issuer)
    #expect(Self.asked(world) == 2)
  }

  @Test("are asked for once more, across sessions too, when a token does not fit them")
  func rotated() async throws {
    let (world, issuer) = try Self.world()
    try await Self.verify(world, issuer)
    let successor = try IDTokenIssuer()
    world.transport.respond(IDTokenIssuer.keysURL, .json(successor.document))
    try await Self.verify(world, successor)
    #expect(Self.asked(world) == 2)
    let json = try JSON(parsing: try world.folder.text(of: try Self.file(world)))
    #expect(json["retried"] == .time(World.now))
    for _ in 0..<5 {
      await #expect(throws: OAuthError.self) { try await Self.verify(world, issuer) }
    }
    #expect(Self.asked(world) == 2)
  }

  private static func world() throws -> (World, IDTokenIssuer) {
    let world = try World()
    let issuer = try IDTokenIssuer()
    issuer.publish(in: world)
    return (world, issuer)
  }

  private static func verify(_ world: World, _ issuer: IDTokenIssuer) async throws {
    let session = try world.session()
    let server = try await session.server.metadata()
    try await session.server.keys(of: server)
      .verify(try JWS(compact: try issuer.token()), allowed: [.es256])
  }

  private static func asked(_ world: World) -> Int {
    world.transport.lines.count { $0 == "GET \(IDTokenIssuer.keysURL)" }
  }

  private static func file(_ world: World) throws -> String {
    try #require(try world.folder.files().keys.first { $0.hasPrefix("cache/jwks/") })
  }
}
