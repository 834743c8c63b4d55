import CoreTestSupport

@testable import SDKCore

@Suite("Logout")
struct LogoutTests {
  @Test("has erased the user's tokens and the implicit token before it asks the server")
  func erasesFirst() async throws {
    let world = try await World.registered()
    try await world.store("a1")
    try await world.store("i1", refreshToken: nil, in: .implicit)
    let held = Mutex<[TokenSet?]>([])
    var answer = FakeTransport.Response.status(200)
    answer.effect = {
      let stored = [try? await world.stored(.user), try? await world.stored(.implicit)]
      held.withLock { $0 += stored }
    }
    world.transport.respond("https://id.test/revoke", answer)
    let steps = try await world.session().login.logOut(.user, isLocal: false)
    #expect(steps.map(\.outcome) == Array(repeating: .done, count: 5))
    #expect(held.withLock { $0 } == Array(repeating: nil, count: 6))
  }
}
