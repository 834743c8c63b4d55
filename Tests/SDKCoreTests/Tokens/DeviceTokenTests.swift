import CoreTestSupport

@testable import SDKCore

@Suite("The token of this installation")
struct DeviceTokenTests {
  private static let answer = FakeTransport.Response.token("d1", refreshToken: "unwanted")

  @Test(
    "is obtained without a person, with the profile's scope",
    arguments: [
      (nil, "grant_type=client_credentials&client_id=app", nil),
      ("read", "grant_type=client_credentials&scope=read&client_id=app", "read"),
    ] as [(String?, String, String?)])
  func obtains(scope: String?, body: String, granted: String?) async throws {
    let world = try World(["anonymousScope": scope.map { .string($0) } ?? .null])
    try await world.register()
    world.transport.respond(World.tokenURL, Self.answer)
    let tokens = try await world.session().tokens.valid(for: .anonymous)
    #expect(tokens.accessToken == "d1")
    #expect(tokens.expires == World.now + 60)
    #expect(tokens.scope == granted)
    #expect(try await world.stored(.anonymous) == tokens)
    #expect(try await world.stored(.user) == nil)
    #expect(world.transport.sent.map(\.body) == ["", body])
    #expect(world.folder.exists(World.locks + "/anonymous.lock"))
  }

  @Test(
    "has the scope that a login asks for, and none if that is empty",
    arguments: [("write", "&scope=write"), ("", ""), (nil, "&scope=read")] as [(String?, String)])
  func chosenScope(scope: String?, sent: String) async throws {
    let world = try await World.registered(["anonymousScope": "read"])
    world.transport.respond(World.tokenURL, Self.answer)
    _ = try await world.session().tokens.valid(
      for: .anonymous, TokenDemand(forceNew: true, scope: scope))
    #expect(
      world.transport.sent.last?.body == "grant_type=client_credentials\(sent)&client_id=app")
  }

  @Test("is returned while it is valid, and obtained again after that")
  func renews() async throws {
    let world = try await World.registered()
    world.transport.respond(World.tokenURL, Self.answer, .token("d2", lifetime: nil))
    let session = try world.session()
    #expect(try await session.tokens.valid(for: .anonymous).accessToken == "d1")
    world.now = world.now + 29
    #expect(try await session.tokens.valid(for: .anonymous).accessToken == "d1")
    #expect(world.transport.sent.count == 2)
    world.now = world.now + 1
    let second = try await session.tokens.valid(for: .anonymous)
    #expect(second.accessToken == "d2")
    // Nothing of the old token stays: it is a token of its own.
    #expect(try await world.stored(.anonymous)?.refreshToken == nil)
    #expect(
      try await session.tokens.valid(
        for: .anonymous, TokenDemand(forceNew: true)
      ).accessToken == "d2")
    #expect(world.transport.lines.count { $0 == "POST \(World.tokenURL)" } == 3)
  }

  @Test(
    "cannot be obtained if the server refuses (10012) or fails (another error)",
    arguments: [
      (
        FakeTransport.Response.json(#"{"error":"unauthorized_client"}"#, status: 400),
        SDKError.Code.refused,
        "unauthorized_client: this client may not use the grant 'client_credentials'", 10012,
        "unauthorized_client"
      ),
      (
        .json(#"{"error":"invalid_client"}"#, status: 401), .refused, "invalid_client", 10012,
        "invalid_client"
      ),
      (.status(403), .refused, "id.test returned 403", 10012, nil),
      (.status(500), .network, "id.test returned 500", 9001, nil),
      (.failure(.nameNotResolved, "no such name"), .network, "no such name", 9000, nil),
    ] as [(FakeTransport.Response, SDKError.Code, String, Int?, String?)])
  func refused(
    answer: FakeTransport.Response, code: SDKError.Code, cause: String, number: Int?,
    serverError: String?
  ) async throws {
    let world = try await World.registered()
    try await world.store("d0", lifetime: 0, refreshToken: nil, in: .anonymous)
    let before = try world.folder.text(of: World.anonymousFile)
    world.transport.respond(World.tokenURL, answer)
    let error = await expect(
      code, "could not get a token for this installation: \(cause)"
    ) { _ = try await world.session().tokens.valid(for: .anonymous) }
    #expect(error?.resource.number == number)
    #expect(error?.serverError == serverError)
    #expect(try world.folder.text(of: World.anonymousFile) == before)
  }

  @Test("is not the injected one")
  func injected() async throws {
    let world = try await World.registered()
    world.transport.respond(World.tokenURL, Self.answer)
    let session = try world.session(injectedToken: "ci")
    #expect(try await session.tokens.valid(for: .anonymous).accessToken == "d1")
  }
}
