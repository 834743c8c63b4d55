import CoreTestSupport

@testable import SDKCore

@Suite("Claims about the user")
struct UserInfoTests {
  private static let url = "https://id.test/userinfo"
  private static let action = "could not read the claims about the user"

  @Test("are about the user who logged in")
  func compared() async throws {
    let (world, _) = try await Self.world()
    world.transport.respond(Self.url, .json(#"{"sub":"alice","name":"A"}"#))
    let user = try await world.session().tokens.userInfo()
    #expect(user == UserClaims(claims: ["sub": "alice", "name": "A"], isCompared: true))
    #expect(world.transport.sent.last?.fields["Authorization"] == "Bearer a1")
    world.transport.respond(Self.url, .json(#"{"sub":"bob"}"#))
    await expect(
      .untrusted,
      "\(Self.action): the userinfo response must not be trusted: it is about another user than the "
        + "ID token"
    ) { _ = try await world.session().tokens.userInfo() }
  }

  @Test("cannot be compared without an ID token, which is reported")
  func uncompared() async throws {
    let (world, _) = try await Self.world()
    try await world.credentials(.user).save(
      try #require(try await world.stored()).with(idToken: nil))
    world.transport.respond(Self.url, .json(#"{"sub":"bob"}"#))
    #expect(try await !world.session().tokens.userInfo().isCompared)
    #expect(try await !world.session(injectedToken: "ci").tokens.userInfo().isCompared)
    #expect(world.transport.sent.last?.fields["Authorization"] == "Bearer ci")
  }

  @Test(
    "name the user as the ID token does, else as the userinfo endpoint does",
    arguments: [
      (["preferred_username": "al"], #"{"sub":"alice","name":"A"}"#, "al", 0),
      ([:], #"{"sub":"alice","email":"a@b.test"}"#, "a@b.test", 1),
      ([:], #"{"sub":"alice"}"#, "alice", 1),
      ([:], #"{"sub":"bob","name":"B"}"#, "alice", 1),
    ] as [([String: JSON?], String, String, Int)])
  func name(claims: [String: JSON?], response: String, expected: String, requests: Int) async throws
  {
    let (world, issuer) = try await Self.world()
    world.transport.respond(Self.url, .json(response))
    let tokens = try #require(try await world.stored()).with(idToken: try issuer.token(claims))
    #expect(try await world.session().tokens.userName(of: tokens) == expected)
    #expect(world.transport.lines.count { $0 == "GET \(Self.url)" } == requests)
    #expect(try await world.session().tokens.userName(of: tokens.with(idToken: nil)) == nil)
  }

  @Test("are requested with a new token once if the server refuses the old one")
  func renewed() async throws {
    let (world, _) = try await Self.world()
    world.grant("a2", ["expires_in": 600])
    world.transport.respond(Self.url, .status(401), .json(#"{"sub":"alice"}"#))
    #expect(try await world.session().tokens.userInfo().claims == ["sub": "alice"])
    #expect(world.transport.sent.last?.fields["Authorization"] == "Bearer a2")
    world.transport.respond(Self.url, .status(401))
    await expect(.refused, "\(Self.action): id.test returned 401") {
      _ = try await world.session().tokens.userInfo()
    }
    #expect(world.transport.lines.count { $0 == "GET \(Self.url)" } == 4)
  }

  @Test(
    "are requested at the profile's endpoint, else at the alias for clients with a certificate",
    arguments: [
      ([:], "https://mtls.test/userinfo"),
      (["endpoints.userinfo": "https://own.test/userinfo"], "https://own.test/userinfo"),
    ] as [(JSONObject, String)])
  func mutual(settings: JSONObject, url: String) async throws {
    let world = try World.mutualTLS(settings, bindsTokens: true)
    world.announce(
      #""userinfo_endpoint":"\#(Self.url)","tls_client_certificate_bound_access_tokens":true,"#
        + #""mtls_endpoint_aliases":{"userinfo_endpoint":"https://mtls.test/userinfo"}"#)
    _ = try await world.session().registration.register(.certificate())
    _ = try await world.store("a1")
    world.transport.respond(url, .json(#"{"sub":"alice"}"#))
    #expect(try await world.session().tokens.userInfo().claims == ["sub": "alice"])
    #expect(world.transport.lines.last == "GET \(url)")
    #expect(world.transport.sent.last?.certificate != nil)
  }

  @Test(
    "are requested with a proof if the token is bound, and again with the server's nonce",
    arguments: [
      (["n"], ["a1 -", "a1 n"]), ([nil], ["a1 -", "a2 -"]),
      (["n", nil], ["a1 -", "a1 n", "a2 n"]),
    ] as [([String?], [String])])
  func bound(nonces: [String?], sent: [String]) async throws {
    let world = try await BoundTokenTests.world()
    let issuer = try IDTokenIssuer()
    issuer.publish(in: world)
    let tokens = try #require(try await world.stored())
    try await world.credentials(.user).save(tokens.with(idToken: try issuer.token()))
    let refusals = nonces.map { BoundTokenTests.answer((401, nil, $0)) }
    world.transport.respond(Self.url, refusals + [.json(#"{"sub":"alice"}"#)])
    try world.folder.remove("cache")
    _ = try await world.session().tokens.userInfo()
    let requests = world.transport.sent.filter { $0.url == Self.url }
    let summaries = try requests.map { try BoundTokenTests.summary($0, of: Self.url) }
    #expect(summaries == sent)
  }

  /// Alice, who is logged in.
  private static func world() async throws -> (World, IDTokenIssuer) {
    let world = try World()
    let issuer = try IDTokenIssuer()
    issuer.publish(in: world)
    try await world.register()
    let tokens = try await world.store("a1")
    try await world.credentials(.user).save(tokens.with(idToken: try issuer.token()))
    return (world, issuer)
  }
}
