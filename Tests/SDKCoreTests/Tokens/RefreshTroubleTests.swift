import CoreTestSupport

@testable import SDKCore

@Suite("A refresh that fails")
struct RefreshTroubleTests {
  @Test("erases only the refresh token if the server says that it is invalid")
  func invalidGrant() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 20)
    var expected = try JSON(parsing: try world.folder.text(of: World.userFile))
    world.transport.respond(
      World.tokenURL,
      .json(#"{"error":"invalid_grant","error_description":"rotated"}"#, status: 400))
    // It has the same cause in every later run.
    for _ in 1...2 {
      let error = await expect(
        .sessionExpired, "could not use the login of 'work': invalid_grant (rotated)"
      ) { _ = try await world.session().tokens.valid(for: .user) }
      #expect(error?.resource == .userNotAuthenticated && error?.remedy == .login)
    }
    #expect(world.transport.sent.count { $0.url == World.tokenURL } == 1)
    expected["refreshToken"] = JSON?.none
    expected["endReason"] = "invalid_grant (rotated)"
    #expect(try JSON(parsing: try world.folder.text(of: World.userFile)) == expected)
    // What life the access token has left may still be used.
    let rest = try await world.session().tokens.valid(for: .user, TokenDemand(minimumLifetime: 10))
    #expect(rest.accessToken == "a1")
  }

  @Test(
    "keeps the refresh token after a refusal without a clear reason, which it says, and tries it again",
    arguments: [
      (.status(400), "id.test returned 400, without an error code"),
      // Spring Security OAuth.
      (
        .json(#"{"error":"invalid_token","error_description":"expired"}"#, status: 401),
        "invalid_token (expired)"
      ),
    ] as [(FakeTransport.Response, String)])
  func noReason(refusal: FakeTransport.Response, reason: String) async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    world.transport.respond(
      World.tokenURL, refusal, .json(#"{"access_token":"a2","token_type":"bearer"}"#))
    let error = await expect(.sessionExpired, "could not use the login of 'work': \(reason)") {
      _ = try await world.session().tokens.valid(for: .user)
    }
    #expect(error?.remedy == .login)
    let kept = try #require(try await world.stored())
    #expect(kept.refreshToken == "refresh-1")
    #expect(kept.isRefreshable && !kept.canBeRefreshed)
    #expect(try await world.session().tokens.valid(for: .user).accessToken == "a2")
    #expect(try await world.stored()?.canBeRefreshed == true)
  }

  @Test("uses the tokens that another process wrote if the server says that ours are invalid")
  func changedMeanwhile() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    var answer = FakeTransport.Response.json(#"{"error":"invalid_grant"}"#, status: 400)
    answer.effect = { _ = try? await world.store("a9", refreshToken: "refresh-9") }
    world.transport.respond(World.tokenURL, answer)
    let tokens = try await world.session().tokens.valid(for: .user)
    #expect(tokens.accessToken == "a9")
    #expect(try await world.stored()?.refreshToken == "refresh-9")
  }

  @Test("asks for a login if another process logged out meanwhile")
  func erasedMeanwhile() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    var answer = FakeTransport.Response.json(#"{"error":"invalid_grant"}"#, status: 400)
    answer.effect = { try? world.folder.remove(World.userFile) }
    world.transport.respond(World.tokenURL, answer)
    await expect(
      .notAuthenticated, "could not use the user's token: nobody is logged in to 'work'"
    ) { _ = try await world.session().tokens.valid(for: .user) }
    #expect(!world.folder.exists(World.userFile))
  }

  @Test(
    "leaves the file unchanged after any other error",
    arguments: [
      ("500", .status(500), .network, "id.test returned 500", true, 9001),
      ("no connection", .failure(.connection, "refused"), .network, "refused", true, 9000),
      ("TLS", .failure(.tls, "expired"), .tls, "expired", false, 9001),
      ("pins", .failure(.pinMismatch, "no pinned key"), .pin, "no pinned key", false, 9001),
      (
        "another OAuth error", .json(#"{"error":"invalid_client"}"#, status: 401), .refused,
        "invalid_client", false, 9002
      ),
      (
        "no token", .json(#"{"token_type":"Bearer"}"#), .malformedResponse,
        "the token response has no usable access_token", false, 10_000
      ),
    ] as [(String, FakeTransport.Response, SDKError.Code, String, Bool, Int?)])
  func trouble(
    name: String, answer: FakeTransport.Response, code: SDKError.Code, cause: String,
    isRetryable: Bool, number: Int?
  ) async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    let before = try world.folder.text(of: World.userFile)
    world.transport.respond(World.tokenURL, answer)
    let error = await expect(
      code, "could not refresh the token of 'work': \(cause)"
    ) { _ = try await world.session().tokens.valid(for: .user) }
    #expect(error?.isRetryable == isRetryable)
    #expect(error?.resource.number == number)
    #expect(try world.folder.text(of: World.userFile) == before)
  }

  @Test(
    "9003 of the server erases the tokens of the user, as in the vendors' SDKs",
    arguments: ["invalid_grant", "invalid_token"])
  func deregistered(code: String) async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    try await world.store("i1", in: .anonymous)
    try await world.store("p1", in: .implicit)
    world.transport.respond(
      World.tokenURL, .json(#"{"error":"\#(code)","error_code":9003}"#, status: 400))
    let session = try world.session()
    let error = await expect(.sessionExpired) { _ = try await session.tokens.valid(for: .user) }
    #expect(error?.resource == .userDeregistered)
    #expect(error?.remedy == .login)
    #expect(try await world.stored() == nil)
    #expect(try await world.stored(.implicit) == nil)
    #expect(try await world.stored(.anonymous) != nil)
  }
}
