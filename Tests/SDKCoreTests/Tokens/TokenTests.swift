import CoreTestSupport

@testable import SDKCore

@Suite("The user's token")
struct TokenTests {
  private static let renewed = FakeTransport.Response.token(
    "a2", refreshToken: "refresh-2", lifetime: 600)

  @Test(
    "that is valid long enough is returned without lock and without network",
    arguments: [(31, 30), (3600, 3599), (1, 0), (nil, 1 << 40)] as [(Int64?, Int64)])
  func valid(lifetime: Int64?, minimum: Int64) async throws {
    let world = try await World.registered()
    let tokens = try await world.store("a1", lifetime: lifetime)
    let before = try world.folder.files()
    let answer = try await world.session().tokens.valid(
      for: .user, TokenDemand(minimumLifetime: minimum))
    #expect(answer == tokens)
    #expect(world.transport.sent.isEmpty)
    #expect(!world.folder.exists(World.locks))
    #expect(try world.folder.files() == before)
  }

  @Test(
    "is refreshed once if it expires soon or a new one is requested",
    arguments: [
      (30, TokenDemand()), (0, TokenDemand(minimumLifetime: 0)), (-100, TokenDemand()),
      (600, TokenDemand(minimumLifetime: 600)), (3600, TokenDemand(forceNew: true)),
      (3600, TokenDemand(refused: "a1")), (nil, TokenDemand(refused: "a1")),
    ] as [(Int64?, TokenDemand)])
  func refreshes(lifetime: Int64?, demand: TokenDemand) async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: lifetime)
    world.transport.respond(World.tokenURL, Self.renewed)
    world.now = world.now + 1
    let tokens = try await world.session().tokens.valid(for: .user, demand)
    #expect(
      tokens
        == TokenSet(
          accessToken: "a2", expires: world.now + 600, scope: "a", refreshToken: "refresh-2",
          obtained: world.now
        ).with(idToken: "id-1"))
    #expect(try await world.stored() == tokens)
    #expect(world.transport.lines == ["GET \(World.metadataURL)", "POST \(World.tokenURL)"])
    #expect(
      world.transport.sent.last?.body
        == "grant_type=refresh_token&refresh_token=refresh-1&client_id=app")
    #expect(world.transport.sent.last?.fields["Authorization"] == "Basic YXBwOnNlY3JldC0x")
    #expect(world.folder.exists(World.locks + "/user.lock"))
  }

  @Test("that is not refused is returned again")
  func otherRefused() async throws {
    let world = try await World.registered()
    let tokens = try await world.store("a1")
    #expect(
      try await world.session().tokens.valid(for: .user, TokenDemand(refused: "a0")) == tokens)
    #expect(world.transport.sent.isEmpty)
  }

  @Test(
    "that a server has refused expires, unless a newer one is stored",
    arguments: [("a1", true, 0), ("a0", false, 600)] as [(String, Bool, Int64)])
  func markedAsRefused(token: String, isStored: Bool, lifetime: Int64) async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 600)
    #expect(try await world.session().tokens.markRefused(token, in: .user) == isStored)
    #expect(try await world.stored()?.expires == world.now + lifetime)
    #expect(world.transport.sent.isEmpty)
  }

  @Test("of each slot is stored by a login", arguments: CredentialSlot.allCases)
  func slots(slot: CredentialSlot) async throws {
    let world = try await World.registered()
    let tokens = TokenSet(
      accessToken: "a1", expires: world.now + 600, scope: "a", refreshToken: nil,
      obtained: world.now)
    try await world.session().tokens.slots.store(.bearer(tokens), in: slot)
    #expect(try await world.stored(slot) == tokens)
  }

  @Test("is not returned before it is written")
  func durable() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    // A directory in the place of the file cannot be replaced.
    var answer = Self.renewed
    answer.effect = {
      try? world.folder.remove(World.userFile)
      _ = try? world.folder.write("", to: World.userFile + "/x")
    }
    world.transport.respond(World.tokenURL, answer)
    await expect(.store) { _ = try await world.session().tokens.valid(for: .user) }
  }

  @Test("keeps what the file holds beside it")
  func unknownMembers() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    var json = try JSON(parsing: try world.folder.text(of: World.userFile))
    json["mine"] = "x"
    try world.folder.write(json.serialized(), to: World.userFile)
    world.transport.respond(World.tokenURL, Self.renewed)
    _ = try await world.session().tokens.valid(for: .user)
    #expect(try JSON(parsing: try world.folder.text(of: World.userFile))["mine"] == "x")
  }

  @Test("is refreshed by one of fifty tasks that find it expired, and all get the same one")
  func concurrent() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    world.transport.respond(World.tokenURL, Self.renewed, .refusal("invalid_grant"))
    let session = try world.session()
    let tokens = try await withThrowingTaskGroup(of: TokenSet.self) { group in
      for _ in 0..<50 { group.addTask { try await session.tokens.valid(for: .user) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(tokens.map(\.accessToken) == ["a2"])
    #expect(world.transport.lines.count { $0 == "POST \(World.tokenURL)" } == 1)
    #expect(try await world.stored() == tokens.first)
  }

  @Test("is written even if the task that requested it was cancelled meanwhile")
  func cancelled() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    world.transport.respond(World.tokenURL, Self.renewed)
    let session = try world.session()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.tokens.valid(for: .user)
    }
    #expect(try await task.value.accessToken == "a2")
    #expect(try await world.stored()?.refreshToken == "refresh-2")
  }

  @Test("waits for the lock of another process, or fails as busy")
  func busy() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    let lock = try await ProfileLock.acquire(.user, of: world.name, at: world.location)
    let error = await expect(
      .busy, "could not get the lock 'user' of 'work': another process holds it"
    ) {
      _ = try await world.session(limits: SessionLimits(.zero)).tokens.valid(for: .user)
    }
    #expect(error?.isRetryable == true)
    #expect(world.transport.sent.isEmpty)
    lock.release()
    world.transport.respond(World.tokenURL, Self.renewed)
    #expect(try await world.session().tokens.valid(for: .user).accessToken == "a2")
  }

  @Test("from the environment replaces the stored one, and is never renewed")
  func injected() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    let session = try world.session(injectedToken: "ci")
    let tokens = try await session.tokens.valid(for: .user, TokenDemand(minimumLifetime: 1 << 40))
    #expect(
      tokens
        == TokenSet(
          accessToken: "ci", expires: nil, scope: nil, refreshToken: nil, obtained: World.now))
    let claims = Base64URL.encode(Array(#"{"exp":1000000000,"scp":["a","b"]}"#.utf8))
    let jwt = "eyJhbGciOiJIUzI1NiJ9.\(claims).AA"
    let expired = try await world.session(injectedToken: jwt).tokens.valid(for: .user)
    #expect(expired.accessToken == jwt && expired.scope == "a b")
    #expect(expired.expires == 1_000_000_000)
    for demand in [TokenDemand(forceNew: true), TokenDemand(refused: "ci")] {
      let error = await expect(
        .sessionExpired, "could not use the token of the environment: it cannot be renewed"
      ) { _ = try await session.tokens.valid(for: .user, demand) }
      #expect(error?.resource == .userNotAuthenticated)
    }
    #expect(world.transport.sent.isEmpty)
    #expect(try await session.tokens.tokens(in: .anonymous) == nil)
  }
}
