import CoreTestSupport

@testable import SDKCore

/// Numbers in files that no honest program wrote.
@Suite("Stored numbers")
struct StoredNumberTests {
  private static let extremes: [Int64] = [.min, .min + 1, -1, 0, .max - 1, .max]

  @Test("of a failed login cause no pause, and do not end the process", arguments: extremes)
  func login(time: Int64) throws {
    let world = try World()
    try world.folder.write(
      #"{"version":2,"number":1,"time":\#(time),"request":"r","code":"network","message":"m"}"#,
      to: "cache/logins/work.json")
    let record = AttemptLog(world.location, world.name).last()
    // The others are not times that a document can have.
    #expect((record == nil) == (time != 0))
    for now in [World.now.seconds, 0, -1, .max, .min] where abs(now / 2 - time / 2) > 5 {
      #expect(record?.pause(at: Timestamp(now)) ?? 0 == 0)
    }
  }

  @Test("of published keys keep no server from being asked", arguments: extremes)
  func keys(time: Int64) async throws {
    let world = try World()
    let issuer = try IDTokenIssuer()
    issuer.publish(in: world)
    let session = try world.session()
    let server = try await session.server.metadata()
    let url = try server.required(.keys)
    let file = try #require(session.server.cache.file("jwks", url.description)).path.text
    let text = #"{"version":1,"document":{"keys":[]},"expires":1800000100,"retried":\#(time)}"#
    try world.folder.write(text, to: String(file.dropFirst(world.folder.path.count + 1)))
    try await session.server.keys(of: server)
      .verify(try JWS(compact: try issuer.token()), allowed: [.es256])
    #expect(world.transport.lines.contains("GET \(url)"))
  }
}
