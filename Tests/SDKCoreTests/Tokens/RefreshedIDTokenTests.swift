import CoreTestSupport

@testable import SDKCore

@Suite("A refresh that brings an ID token")
struct RefreshedIDTokenTests {
  @Test("stores it after its verification, with everything else")
  func kept() async throws {
    let (world, issuer) = try await Self.world()
    let new = try issuer.token(["jti": "2"])
    Self.answer(world, new)
    let tokens = try await world.session().tokens.valid(for: .user)
    #expect(tokens.idToken == new)
    #expect(tokens.accessToken == "a2")
    #expect(tokens.refreshToken == "refresh-2")
    #expect(try await world.stored() == tokens)
  }

  @Test(
    "is refused if it is for another user, server or client, and nothing of it is stored",
    arguments: [
      (["sub": "bob"], "the token is about 'bob', not 'alice'"),
      (
        ["iss": "https://evil.test"],
        "the token is issued by 'https://evil.test', not by 'https://id.test'"
      ),
      (["aud": "other"], "the token is for 'other', not for 'app'"),
    ] as [([String: JSON?], String)])
  func refused(change: [String: JSON?], cause: String) async throws {
    let (world, issuer) = try await Self.world()
    Self.answer(world, try issuer.token(change))
    let before = try await world.stored()
    await expect(
      .untrusted,
      "could not refresh the token of 'work': the ID token that came with the refresh must not be "
        + "trusted: \(cause)"
    ) { _ = try await world.session().tokens.valid(for: .user) }
    #expect(try await world.stored() == before)
  }

  @Test("keeps the one of the login if the new one is not valid, and stores the new tokens")
  func notGood() async throws {
    let stranger = try IDTokenIssuer()
    let bad = try stranger.token()
    for change in [nil, ["exp": .time(World.now - 100)], ["at_hash": "AAAA"]] as [[String: JSON?]?]
    {
      let (world, issuer) = try await Self.world()
      let old = try await world.stored()?.idToken
      Self.answer(world, try change.map { try issuer.token($0) } ?? bad)
      let tokens = try await world.session().tokens.valid(for: .user)
      #expect(tokens.accessToken == "a2")
      #expect(tokens.refreshToken == "refresh-2")
      #expect(tokens.idToken == old)
      #expect(try await world.stored() == tokens)
    }
  }

  @Test("stores the new tokens if it cannot be decrypted", arguments: ["a.b.c.d.e", "nonsense"])
  func closed(idToken: String) async throws {
    let (world, _) = try await Self.world()
    let old = try await world.stored()?.idToken
    Self.answer(world, idToken)
    if idToken == "nonsense" {
      await #expect(throws: SDKError.self) {
        _ = try await world.session().tokens.valid(for: .user)
      }
    } else {
      let tokens = try await world.session().tokens.valid(for: .user)
      #expect(tokens.refreshToken == "refresh-2")
      #expect(tokens.idToken == old)
      #expect(try await world.stored() == tokens)
    }
  }

  @Test(
    "is signed with the algorithm that the client registered, where it did",
    arguments: [("ES256", true), ("RS256", false), ("HS256", false), ("none", true)])
  func algorithm(registered: String, isKept: Bool) async throws {
    let (world, issuer) = try await Self.world()
    let client: JSONObject = [
      "client_id": "app", "client_secret": "s", "id_token_signed_response_alg": .string(registered),
    ]
    try await world.save(client)
    let old = try await world.stored()?.idToken
    let new = try issuer.token(["jti": "2"])
    Self.answer(world, new)
    #expect(try await world.session().tokens.valid(for: .user).idToken == (isKept ? new : old))
  }

  @Test("has the tokens on disk before the server is asked for its keys")
  func durable() async throws {
    let (world, issuer) = try await Self.world()
    Self.answer(world, try issuer.token(["jti": "2"]))
    var keys = FakeTransport.Response.json(issuer.document)
    keys.effect = { #expect((try? await world.stored())??.refreshToken == "refresh-2") }
    world.transport.respond(IDTokenIssuer.keysURL, keys)
    _ = try await world.session().tokens.valid(for: .user)
    #expect(world.transport.lines.last == "GET \(IDTokenIssuer.keysURL)")
  }

  @Test("is stored if the login returned none")
  func first() async throws {
    let (world, issuer) = try await Self.world(idToken: nil)
    let new = try issuer.token()
    Self.answer(world, new)
    #expect(try await world.session().tokens.valid(for: .user).idToken == new)
  }

  /// A user whose access token has expired.
  private static func world(
    idToken: [String: JSON?]? = [:]
  ) async throws -> (World, IDTokenIssuer) {
    let world = try World()
    let issuer = try IDTokenIssuer()
    issuer.publish(in: world)
    try await world.register()
    let tokens = try await world.store("a1", lifetime: 0)
    try await world.credentials(.user).save(
      tokens.with(idToken: try idToken.map { try issuer.token($0) }))
    return (world, issuer)
  }

  private static func answer(_ world: World, _ idToken: String) {
    let more: JSONObject = ["id_token": .string(idToken)]
    world.transport.respond(World.tokenURL, .token("a2", refreshToken: "refresh-2", more))
  }
}
