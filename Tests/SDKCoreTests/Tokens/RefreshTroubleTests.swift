import CoreTestSupport

@testable import SDKCore

@Suite("A refresh that fails")
struct RefreshTroubleTests {
  private static let url = "https://id.test/token"

  @Test("erases only the refresh token if the server says that it is invalid")
  func invalidGrant() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 20)
    var expected = try JSON(parsing: try world.folder.text(of: World.userFile))
    world.transport.respond(
      Self.url, .json(#"{"error":"invalid_grant","error_description":"rotated"}"#, status: 400))
    // It has the same cause in every later run.
    for _ in 1...2 {
      let error = await expect(
        .sessionExpired, "could not use the login of 'work': invalid_grant (rotated)"
      ) { _ = try await world.session().tokens.valid(for: .user) }
      #expect(error?.resource == .userNotAuthenticated && error?.remedy == .login)
    }
    #expect(world.transport.sent.count { $0.url == Self.url } == 1)
    expected["refreshToken"] = JSON?.none
    expected["endReason"] = "invalid_grant (rotated)"
    #expect(try JSON(parsing: try world.folder.text(of: World.userFile)) == expected)
    // What life the access token has left may still be used.
    let rest = try await world.session().tokens.valid(for: .user, TokenDemand(minimumLifetime: 10))
    #expect(rest.accessToken == "a1")
  }

  @Test(
    "keeps the refresh token after a refusal without a reason, which it says, and tries it again")
  func noReason() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    world.transport.respond(
      Self.url, .status(400), .json(#"{"access_token":"a2","token_type":"bearer"}"#))
    let error = await expect(
      .sessionExpired,
      "could not use the login of 'work': id.test returned 400, without an error code"
    ) { _ = try await world.session().tokens.valid(for: .user) }
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
    world.transport.respond(Self.url, answer)
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
    world.transport.respond(Self.url, answer)
    await expect(
      .notAuthenticated, "could not use the user's token: nobody is logged in to 'work'"
    ) { _ = try await world.session().tokens.valid(for: .user) }
    #expect(!world.folder.exists(World.userFile))
  }

  struct Trouble: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: FakeTransport.Response
    let code: SDKError.Code
    let cause: String
    let isRetryable: Bool
    var number: Int? = 10_000
  }

  @Test(
    "leaves the file unchanged after any other error",
    arguments: [
      Trouble(
        testDescription: "500", answer: .status(500), code: .network,
        cause: "id.test returned 500", isRetryable: true, number: 9001),
      Trouble(
        testDescription: "no connection", answer: .failure(.connection, "refused"), code: .network,
        cause: "refused", isRetryable: true, number: 9000),
      Trouble(
        testDescription: "TLS", answer: .failure(.tls, "expired"), code: .tls, cause: "expired",
        isRetryable: false, number: 9001),
      Trouble(
        testDescription: "pins", answer: .failure(.pinMismatch, "no pinned key"), code: .pin,
        cause: "no pinned key", isRetryable: false, number: 9001),
      Trouble(
        testDescription: "another OAuth error",
        answer: .json(#"{"error":"invalid_client"}"#, status: 401), code: .refused,
        cause: "invalid_client", isRetryable: false, number: 9002),
      Trouble(
        testDescription: "no token", answer: .json(#"{"token_type":"Bearer"}"#),
        code: .malformedResponse, cause: "the token response has no usable access_token",
        isRetryable: false, number: 10_000),
    ])
  func trouble(row: Trouble) async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    let before = try world.folder.text(of: World.userFile)
    world.transport.respond(Self.url, row.answer)
    let error = await expect(
      row.code, "could not refresh the token of 'work': \(row.cause)"
    ) { _ = try await world.session().tokens.valid(for: .user) }
    #expect(error?.isRetryable == row.isRetryable)
    #expect(error?.resource.number == row.number)
    #expect(try world.folder.text(of: World.userFile) == before)
  }

  @Test("9003 of the server erases the tokens of the user, as in the vendors' SDKs")
  func deregistered() async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    try await world.store("i1", in: .anonymous)
    try await world.store("p1", in: .implicit)
    world.transport.respond(
      Self.url, .json(#"{"error":"invalid_grant","error_code":9003}"#, status: 400))
    let session = try world.session()
    let error = await expect(.sessionExpired) { _ = try await session.tokens.valid(for: .user) }
    #expect(error?.resource == .userDeregistered)
    #expect(error?.remedy == .login)
    #expect(try await world.stored() == nil)
    #expect(try await world.stored(.implicit) == nil)
    #expect(try await world.stored(.anonymous) != nil)
  }
}
