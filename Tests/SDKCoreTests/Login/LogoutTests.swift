import CoreTestSupport

@testable import SDKCore

@Suite("Logout")
struct LogoutTests {
  private static let url = "https://id.test/revoke"

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
