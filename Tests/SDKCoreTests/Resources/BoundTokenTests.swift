import CoreTestSupport

@testable import SDKCore

@Suite("Fetch with a token that is bound to a key")
struct BoundTokenTests {
  private static let url = "https://api.test/v1/x"

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the resource answers: a status, the error of its challenge, a nonce.
    let answers: [(status: Int, error: String?, nonce: String?)]
    /// The tokens and nonces that were sent.
    let sent: [String]
    /// The statuses that the receiver saw.
    let status: Int
    var isRepeatable = true
  }

  private static let ask = "use_dpop_nonce"
  private static let rows: [Row] = [
    Row(testDescription: "no nonce", answers: [(200, nil, nil)], sent: ["a1 -"], status: 200),
    Row(
      testDescription: "it asks and tells none", answers: [(401, ask, nil)], sent: ["a1 -"],
      status: 401),
    Row(
      testDescription: "it asks for what cannot be read twice", answers: [(401, ask, "n")],
      sent: ["a1 -"], status: 401, isRepeatable: false),
    Row(
      testDescription: "a nonce before and after a new token",
      answers: [(401, ask, "n"), (401, "invalid_token", nil), (401, ask, "m"), (200, nil, nil)],
      sent: ["a1 -", "a1 n", "a2 n"], status: 401),
    Row(
      testDescription: "the proof is refused", answers: [(401, "invalid_dpop_proof", "n")],
      sent: ["a1 -"], status: 401),
  ]

  @Test("sends a proof each time, and tries again at most once for each reason", arguments: rows)
  func retries(row: Row) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url + "?q=1", row.answers.map(Self.answer))
    let sink = FakeSink()
    let body = HTTPBody.stream(FakeSource("data", isRepeatable: row.isRepeatable), length: 4)
    let response = try await UserClient(world.session()).send(
      ResourceRequest("POST", "/x?q=1", body: body), receiving: .sink(sink))
    #expect(response.status == row.status)
    #expect(sink.statuses == [row.status])
    #expect(sink.body == "\(row.status)")
    let sent = world.transport.sent.filter { $0.url == Self.url + "?q=1" }
    #expect(try sent.map { try Self.summary($0) } == row.sent)
    #expect(Set(try sent.map { try Self.claims($0)["jti"]?.string }).count == row.sent.count)
    #expect(sent.allSatisfy { $0.body == "data" })
  }

  @Test("is a proof for each hop of a redirect, and for no other origin")
  func redirects() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .redirect(307, to: "/v1/y"))
    world.transport.respond("https://api.test/v1/y", .redirect(307, to: "https://other.test/z"))
    world.transport.respond("https://other.test/z", .status(200, "there"))
    _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    let sent = world.transport.sent.filter { !$0.url.hasPrefix("https://id.test") }
    #expect(sent.map { $0.fields.contains("DPoP") } == [true, true, false])
    #expect(sent.map { $0.fields.contains("Authorization") } == [true, true, false])
    #expect(
      try sent.prefix(2).map { try Self.claims($0)["htu"]?.string }
        == [Self.url, "https://api.test/v1/y"])
  }

  @Test("remembers nonces for the next process, each for its origin, and may lose them")
  func memory() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, [Self.answer((200, nil, "n"))])
    for _ in 0..<2 { _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x")) }
    let file = "cache/nonces/work.json"
    #expect(try world.folder.mode(of: file) == 0o600)
    try world.folder.write("{", to: file)
    _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    #expect(
      try world.transport.sent.filter { $0.url == Self.url }.map { try Self.summary($0) } == [
        "a1 -", "a1 n", "a1 -",
      ])
  }

  @Test("has a nonce of 64 servers at most, which is written when it changes")
  func nonces() throws {
    let world = try World()
    let nonces = NonceFile(world.location, world.name)
    for number in 0...64 { nonces.store("n", of: "https://\(number).test") }
    #expect(NonceFile(world.location, world.name).value(of: "https://0.test") == nil)
    try world.folder.remove("cache")
    nonces.store("n", of: "https://64.test")
    #expect(!world.folder.exists("cache"))
  }

  @Test("has a proof for other programs, and none for a bearer token")
  func proof() async throws {
    let world = try await Self.world()
    let session = try world.session()
    let tokens = try #require(try await world.stored())
    let url = try HTTPURL("https://api.test/z?y")
    let proof = try JWT(try #require(try await session.tokens.proof(for: tokens, .put, url)))
    #expect(proof.claims["htm"] == "PUT")
    #expect(proof.claims["htu"] == "https://api.test/z")
    #expect(try proof.claims["ath"] == .string(Base64URL.encode(Digest.sha256("a1"))))
    #expect(proof.claims["iat"] == .time(World.now))
    let bearer = try await world.store("b1")
    #expect(try await session.tokens.proof(for: bearer, .put, url) == nil)
  }

  // MARK: The world

  /// A user whose token `a1` is bound to the key of the profile; a refresh brings `a2`.
  static func world() async throws -> World {
    let world = try await World.registered()
    let session = try world.session()
    _ = try await session.server.dpop.proof(at: try await session.server.metadata())
    try await world.store("a1", type: "DPoP")
    world.transport.respond(
      World.tokenURL,
      .json(#"{"access_token":"a2","token_type":"DPoP","expires_in":60}"#))
    world.transport.forget()
    return world
  }

  static func answer(
    _ row: (status: Int, error: String?, nonce: String?)
  ) -> FakeTransport.Response {
    var answer = FakeTransport.Response.status(row.status, "\(row.status)")
    if let error = row.error {
      answer.fields.append(HTTPField(known: "WWW-Authenticate", "DPoP error=\"\(error)\""))
    }
    if let nonce = row.nonce { answer.fields.append(HTTPField(known: "DPoP-Nonce", nonce)) }
    return answer
  }

  private static func claims(_ sent: FakeTransport.Sent) throws -> JSON {
    try JWT(try #require(sent.fields["DPoP"])).claims
  }

  /// The token and the nonce of a request, whose proof is for this token.
  static func summary(_ sent: FakeTransport.Sent, of url: String = url) throws -> String {
    let words = (sent.fields["Authorization"] ?? "").split(separator: " ")
    let claims = try claims(sent)
    #expect(words.first == "DPoP")
    #expect(try claims["ath"]?.string == Base64URL.encode(Digest.sha256(String(words.last ?? ""))))
    #expect(claims["htm"]?.string == sent.method)
    #expect(claims["htu"]?.string == url)
    return "\(words.last ?? "") \(claims["nonce"]?.string ?? "-")"
  }
}
