import CoreTestSupport

@testable import SDKCore

@Suite("A request of one user")
struct RequestOwnerTests {
  private static let url = "https://api.test/v1/x"
  private static let yes = FakeTransport.Response.status(200, "yes")

  private static func world(alice: TokenSet) async throws -> World {
    let world = try await World.registered()
    try await world.credentials(.user).save(alice)
    return world
  }

  /// A response before which that user has logged in, in another process.
  private static func response(
    _ status: Int, after tokens: TokenSet, in world: World
  ) -> FakeTransport.Response {
    var response = FakeTransport.Response.status(status)
    response.effect = { try? await world.credentials(.user).save(tokens) }
    return response
  }

  /// The access tokens that the resource server saw.
  private static func seen(_ world: World) -> [String] {
    world.transport.sent.filter { $0.url.hasPrefix("https://api.test/") }
      .map { String(($0.fields["Authorization"] ?? "").dropFirst("Bearer ".count)) }
  }

  private static func store(_ tokens: TokenSet, in world: World) async throws(SDKError) {
    try await world.credentials(.user).save(tokens)
  }

  private static let refusal =
    "could not send the request: another user has logged in since it was made"

  @Test(
    "is not sent as another one who logs in because the session has expired",
    arguments: [Access.user, .implicit], TokenSet.Naming.allCases)
  func expired(access: Access, naming: TokenSet.Naming) async throws {
    let world = try await Self.world(alice: try TokenSet.of("alice", by: naming, lifetime: -1))
    let bob = try TokenSet.of("bob", by: naming)
    await expect(.untrusted, Self.refusal) {
      _ = try await world.session().resources.send(
        ResourceRequest("POST", "/x", body: .bytes(Array("of alice".utf8))), as: access,
        receiving: .collect(limit: 100)
      ) { (_) throws(SDKError) in try await Self.store(bob, in: world) }
    }
    #expect(world.transport.sent.allSatisfy { $0.url == World.metadataURL })
  }

  @Test("is sent once the same one has logged in", arguments: TokenSet.Naming.allCases)
  func same(naming: TokenSet.Naming) async throws {
    let world = try await Self.world(alice: try TokenSet.of("alice", by: naming, lifetime: -1))
    world.transport.respond(Self.url, Self.yes)
    let again = try TokenSet.of("alice", by: naming)
    let response = try await world.session().resources.send(
      ResourceRequest("GET", "/x"), as: .user, receiving: .collect(limit: 100)
    ) { (_) throws(SDKError) in try await Self.store(again, in: world) }
    #expect(response.status == 200)
    #expect(Self.seen(world) == [again.accessToken])
  }

  @Test("is not sent after a login that does not name its user")
  func unnamed() async throws {
    let world = try await Self.world(alice: try TokenSet.of("alice", lifetime: -1))
    var unnamed = try TokenSet.of("alice")
    unnamed.idToken = nil
    let other = unnamed
    await expect(.untrusted, Self.refusal) {
      _ = try await world.session().resources.send(
        ResourceRequest("GET", "/x"), as: .user, receiving: .collect(limit: 100)
      ) { (_) throws(SDKError) in try await Self.store(other, in: world) }
    }
    #expect(world.transport.sent.isEmpty)
  }

  @Test("is not sent again as another one who has logged in elsewhere", arguments: [401, 503])
  func elsewhere(status: Int) async throws {
    let world = try await Self.world(alice: try TokenSet.of("alice", refreshToken: "r1"))
    let bob = try TokenSet.of("bob")
    world.transport.respond(Self.url, Self.response(status, after: bob, in: world), Self.yes)
    await expect(.untrusted, Self.refusal) {
      _ = try await world.session().resources.send(
        ResourceRequest("GET", "/x"), as: .user, receiving: .collect(limit: 100),
        retrying: RetryPolicy(count: 2))
    }
    #expect(Self.seen(world) == ["of-alice"])
  }

  @Test("is not sent as another one who logs in while its token is refreshed")
  func whileRefreshed() async throws {
    let world = try await Self.world(
      alice: try TokenSet.of("alice", lifetime: -1, refreshToken: "r1"))
    let bob = try TokenSet.of("bob", refreshToken: "r2")
    var refused = FakeTransport.Response.json(#"{"error":"invalid_grant"}"#, status: 400)
    refused.effect = { try? await world.credentials(.user).save(bob) }
    world.transport.respond("https://id.test/token", refused)
    world.transport.respond(Self.url, Self.yes)
    await expect(.untrusted, Self.refusal) {
      _ = try await world.session().resources.send(
        ResourceRequest("GET", "/x"), as: .user, receiving: .collect(limit: 100))
    }
    #expect(Self.seen(world).isEmpty)
  }

  @Test("may be sent as anyone if nobody was logged in, and then as no other one")
  func nobody() async throws {
    let world = try await World.registered()
    let (alice, bob) = (
      try TokenSet.of("alice", refreshToken: "r"), try TokenSet.of("bob")
    )
    world.transport.respond(Self.url, Self.response(401, after: bob, in: world), Self.yes)
    await expect(.untrusted, Self.refusal) {
      _ = try await world.session().resources.send(
        ResourceRequest("GET", "/x"), as: .user, receiving: .collect(limit: 100)
      ) { (_) throws(SDKError) in try await Self.store(alice, in: world) }
    }
    #expect(Self.seen(world) == ["of-alice"])
  }
}
