import CoreTestSupport

@testable import SDKCore

@Suite("Logout")
struct LogoutTests {
  private static let url = "https://id.test/revoke"
  private static let refreshBody =
    "token=refresh-1&token_type_hint=refresh_token&client_id=app"
  private static let accessBody = "token=a1&token_type_hint=access_token&client_id=app"

  @Test("revokes the refresh token, then the access token, and erases both")
  func both() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .status(200))
    let steps = try await world.session().login.logOut(.user, isLocal: false)
    #expect(
      steps == [
        LogoutStep(action: .revokeRefreshToken, outcome: .done),
        LogoutStep(action: .revokeAccessToken, outcome: .done),
        LogoutStep(action: .erase, outcome: .done),
      ])
    #expect(world.transport.sent.dropFirst().map(\.body) == [Self.refreshBody, Self.accessBody])
    #expect(world.transport.sent.last?.fields["Authorization"] == "Basic YXBwOnNlY3JldC0x")
    #expect(try await world.stored() == nil)
    #expect(try await world.session().registration.current()?.clientID == "app")
  }

  @Test("has erased the user's tokens and the implicit token before it asks the server")
  func erasesFirst() async throws {
    let world = try await Self.world()
    try await world.store("i1", refreshToken: nil, in: .implicit)
    let held = Mutex<[TokenSet?]>([])
    var answer = FakeTransport.Response.status(200)
    answer.effect = {
      let stored = [try? await world.stored(.user), try? await world.stored(.implicit)]
      held.withLock { $0 += stored }
    }
    world.transport.respond(Self.url, answer)
    let steps = try await world.session().login.logOut(.user, isLocal: false)
    #expect(steps.map(\.outcome) == Array(repeating: .done, count: 5))
    #expect(held.withLock { $0 } == Array(repeating: nil, count: 6))
  }

  @Test("revokes only the access token of a slot without refresh token")
  func anonymous() async throws {
    let world = try await Self.world()
    try await world.store("d1", refreshToken: nil, in: .anonymous)
    world.transport.respond(Self.url, .status(200))
    let steps = try await world.session().login.logOut(.anonymous, isLocal: false)
    #expect(steps.map(\.action) == [.revokeAccessToken, .erase])
    #expect(
      world.transport.sent.last?.body == "token=d1&token_type_hint=access_token&client_id=app")
    #expect(try await world.stored(.anonymous) == nil)
    #expect(try await world.stored(.user)?.accessToken == "a1")
  }

  @Test("does nothing to an empty slot")
  func empty() async throws {
    let world = try await Self.world()
    let before = try world.folder.files()
    #expect(try await world.session().login.logOut(.anonymous, isLocal: false).isEmpty)
    #expect(world.transport.sent.isEmpty)
    #expect(try world.folder.files() == before)
  }

  @Test("only erases if the server cannot be reached, and reports what was not done")
  func local() async throws {
    let world = try await Self.world()
    let steps = try await world.session().login.logOut(.user, isLocal: true)
    #expect(
      steps == [
        LogoutStep(action: .revokeRefreshToken, outcome: .skippedAsLocal),
        LogoutStep(action: .revokeAccessToken, outcome: .skippedAsLocal),
        LogoutStep(action: .erase, outcome: .done),
      ])
    #expect(world.transport.sent.isEmpty)
    #expect(try await world.stored() == nil)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var metadata: FakeTransport.Response = .json(World.metadata)
    var answer: FakeTransport.Response = .status(200)
    let code: SDKError.Code
    /// The messages of the two failed steps.
    let messages: [String]
  }

  @Test(
    "erases the tokens whatever the server responds, and reports each failure",
    arguments: [
      Row(
        testDescription: "server fails", answer: .status(503), code: .network,
        messages: [
          "could not revoke the refresh token: id.test returned 503",
          "could not revoke the access token: id.test returned 503",
        ]),
      Row(
        testDescription: "server refuses",
        answer: .json(#"{"error":"invalid_client"}"#, status: 401), code: .refused,
        messages: [
          "could not revoke the refresh token: invalid_client",
          "could not revoke the access token: invalid_client",
        ]),
      Row(
        testDescription: "no metadata", metadata: .failure(.connection, "refused"), code: .network,
        messages: [
          "could not read the metadata of https://id.test: refused",
          "could not read the metadata of https://id.test: refused",
        ]),
    ])
  func failures(row: Row) async throws {
    let world = try await Self.world()
    world.transport.respond(World.metadataURL, row.metadata)
    world.transport.respond(Self.url, row.answer)
    let steps = try await world.session().login.logOut(.user, isLocal: false)
    #expect(steps.map(\.action) == [.revokeRefreshToken, .revokeAccessToken, .erase])
    let errors = steps.compactMap { step in
      if case .failed(let error) = step.outcome { error } else { nil }
    }
    #expect(errors.map(\.code) == [row.code, row.code])
    #expect(errors.map(\.message) == row.messages)
    #expect(steps.last?.outcome == .done)
    #expect(try await world.stored() == nil)
  }

  @Test("says what stays valid at a server without revocation, which is no failure")
  func unsupported() async throws {
    let world = try await Self.world()
    world.transport.respond(World.metadataURL, .json(#"{"issuer":"https://id.test"}"#))
    let steps = try await world.session().login.logOut(.user, isLocal: false)
    let reason = "the server offers no revocation, so it stays valid until it expires"
    #expect(
      steps == [
        LogoutStep(action: .revokeRefreshToken, outcome: .skipped(reason)),
        LogoutStep(action: .revokeAccessToken, outcome: .skipped(reason)),
        LogoutStep(action: .erase, outcome: .done),
      ])
    #expect(try await world.stored() == nil)
  }

  @Test("goes on with the access token when the refresh token cannot be revoked")
  func half() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .status(500), .status(200))
    let steps = try await world.session().login.logOut(.user, isLocal: false)
    let isDone = steps.map { $0.outcome == .done }
    #expect(isDone == [false, true, true])
    #expect(world.transport.sent.dropFirst().map(\.body) == [Self.refreshBody, Self.accessBody])
  }

  @Test("erases the tokens of an installation that is no longer registered")
  func unregistered() async throws {
    let world = try World()
    try await world.store("a1")
    let steps = try await world.session().login.logOut(.user, isLocal: false)
    let messages = steps.compactMap { step in
      if case .failed(let error) = step.outcome { error.message } else { nil }
    }
    let message = "could not use 'work': this installation is not registered"
    #expect(messages == [message, message])
    #expect(try await world.stored() == nil)
    #expect(world.transport.sent.isEmpty)
  }

  private static func world() async throws -> World {
    let world = try await World.registered()
    try await world.store("a1")
    return world
  }
}
