import CoreTestSupport

@testable import SDKCore

@Suite("Scope that a refresh does not bring back")
struct LostScopeTests {
  @Test("causes a warning at every refresh until it is back, compared with the login")
  func told() async throws {
    let world = try await World.registered()
    try await world.store("u1", scope: "a b c")
    world.transport.respond(
      World.tokenURL, .token("u2", scope: "a b"), .token("u2", scope: "a"), .token("u2"),
      .token("u2", scope: "c b a"), .token("u2"))
    let session = try world.session()
    let demand = TokenDemand(forceNew: true)
    #expect(try await session.tokens.valid(for: .user, demand).scope == "a b")
    #expect(world.notices == [.scopeLost(["c"])])
    #expect(try await session.tokens.valid(for: .user, demand).scope == "a")
    #expect(world.notices.dropFirst() == [.scopeLost(["b", "c"])])
    // A token that lives needs no refresh, and tells nothing.
    _ = try await session.tokens.valid(for: .user)
    #expect(world.notices.count == 2)
    _ = try await session.tokens.valid(for: .user, demand)
    #expect(world.notices.dropFirst(2) == [.scopeLost(["b", "c"])])
    #expect(try await session.tokens.valid(for: .user, demand).scope == "c b a")
    #expect(try await world.stored()?.loginScope == nil)
    _ = try await session.tokens.valid(for: .user, demand)
    #expect(world.notices.count == 3)
  }

  @Test("causes no warning if the login's scope is unknown, or if more is granted")
  func untold() async throws {
    for (granted, answered) in [(nil, "a"), ("a", "a b"), ("a", nil)] as [(String?, String?)] {
      let world = try await World.registered()
      try await world.store("u1", scope: granted)
      world.transport.respond(World.tokenURL, .token("u2", scope: answered))
      _ = try await world.session().tokens.valid(for: .user, TokenDemand(forceNew: true))
      #expect(world.notices.isEmpty)
    }
  }

  @Test("causes a warning if an implicit token of the full scope shows it")
  func implicit() async throws {
    let world = try await World.loggedIn(exchanges: false)
    world.transport.respond(World.tokenURL, .token("u2", scope: "a"))
    #expect(try await world.session().login.silently(scope: nil).scope == "a")
    #expect(world.notices == [.scopeLost(["b"])])
  }
}
