import CoreTestSupport

@testable import SDKCore

/// What a profile can say of a server that departs from the standards, each by itself.
@Suite("A login at a server with quirks")
struct QuirkTests {
  private static let settings: JSONObject = [
    "discovery": false, "pkce": false, "authorizationParameters": "mobile=1&prompt=none",
    "basicEncoding": "raw", "expiryMargin": 600,
    "endpoints.authorization": "https://id.test/oauth2/authorize",
    "endpoints.token": "https://id.test/oauth2/token",
    "endpoints.refresh": "https://id.test/oauth2/token?q=oauth2/token",
  ]
  private static let answer =
    #"{"access_token":"a1","token_type":"bearer","expires_in":3600,"refresh_token":"r1"}"#

  @Test("requests no metadata, sends no PKCE, and adds the parameters of the profile")
  func login() async throws {
    let world = try await Self.world()
    let person = Person(["x?code=c&state=STATE"])
    let chosen = LoginOptions(parameters: ["prompt": "login"])
    _ = try await world.session().login.logIn(by: person.way, chosen)
    #expect(person.url?.path == "/oauth2/authorize")
    #expect(person.asked["mobile"] == "1")
    // What a person asks for stands before what the profile says.
    #expect(person.asked.values(of: "prompt") == ["login"])
    #expect(person.asked["code_challenge"] == nil)
    #expect((person.asked["state"] ?? "").utf8.count >= 32)
    #expect(world.transport.lines == ["POST https://id.test/oauth2/token"])
    let sent = try #require(world.transport.sent.last)
    #expect(FormParameters(encoded: sent.body)?["code_verifier"] == nil)
    #expect(sent.fields["Authorization"] == "Basic YSBwcDpzKy89")  // "a pp:s+/="
  }

  @Test("refreshes at an address of its own, query and all, and keeps the old refresh token")
  func refresh() async throws {
    let world = try await Self.world()
    try await world.store("a0", lifetime: -1, refreshToken: "r0")
    world.transport.respond(
      "https://id.test/oauth2/token?q=oauth2/token",
      .json(#"{"access_token":"a1","token_type":"bearer","expires_in":3600}"#))
    let tokens = try await world.session().tokens.valid(for: .user)
    #expect(world.transport.lines == ["POST https://id.test/oauth2/token?q=oauth2/token"])
    #expect(
      world.transport.sent.last?.body
        == "grant_type=refresh_token&refresh_token=r0&client_id=a%20pp")
    #expect(tokens.refreshToken == "r0")
  }

  @Test(
    "counts a token as expired before its end, by the margin or --min-ttl, the larger",
    arguments: [
      (601, 600, 30, true), (600, 600, 30, false), (31, nil, 30, true), (30, nil, 30, false),
      (700, 600, 700, false), (701, 600, 700, true), (1, 0, 0, true),
    ] as [(Int64, Int64?, Int64, Bool)])
  func margin(lifetime: Int64, margin: Int64?, minimum: Int64, isFresh: Bool) async throws {
    let world = try World(margin.map { ["expiryMargin": .int($0)] } ?? [:])
    try await world.register()
    world.transport.respond("https://id.test/token", .json(Self.answer))
    try await world.store("a0", lifetime: lifetime)
    let tokens = try await world.session().tokens.valid(
      for: .user, TokenDemand(minimumLifetime: minimum))
    #expect(tokens.accessToken == (isFresh ? "a0" : "a1"))
    // The true end is kept.
    #expect(tokens.expires == world.now + (isFresh ? lifetime : 3600))
  }

  @Test(
    "uses a token that another process has just obtained, although it ends within the margin",
    arguments: [("a9", 300, "a9"), ("a9", 0, "a1"), ("a0", 300, "a1")] as [(String, Int64, String)])
  func renewedMeanwhile(written: String, lifetime: Int64, expected: String) async throws {
    let world = try await World.registered(["expiryMargin": 600])
    world.transport.respond("https://id.test/token", .json(Self.answer))
    try await world.store(written, lifetime: lifetime, refreshToken: "refresh-2")
    let other = try world.folder.text(of: World.userFile)
    try await world.store("a0", lifetime: 10)
    let questions = Atomic(0)
    let session = try ProfileSession(
      world.name, in: world.store,
      now: {
        // The clock is asked for the second time between reading the slot and waiting for its lock.
        let question = questions.add(1, ordering: .relaxed).newValue
        if question == 2 { _ = try? world.folder.write(other, to: World.userFile) }
        return world.now
      }, network: .scripted(world.transport))
    #expect(try await session.tokens.valid(for: .user).accessToken == expected)
  }

  private static func world() async throws -> World {
    let world = try World(settings)
    try await world.save(["client_id": "a pp", "client_secret": "s+/="], source: .given)
    world.transport.respond("https://id.test/oauth2/token", .json(answer))
    return world
  }
}
