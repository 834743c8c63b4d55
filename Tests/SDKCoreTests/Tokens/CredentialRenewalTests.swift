import CoreTestSupport

@testable import SDKCore

@Suite("A way to renew a credential")
struct CredentialRenewalTests {
  /// The kinds of stored credentials.
  enum Stored: CaseIterable {
    case nothing, token, jwt, cookies
  }

  @Test("is found by the list alone, and runs once for all that wait", arguments: Stored.allCases)
  func listed(stored: Stored) async throws {
    let world = try await World.registered()
    try await store(stored, in: world)
    let session = try world.session()
    let renewal = CommandRenewal(slots: session.tokens.slots)
    let tokens = TokenService(
      server: session.server, slots: session.tokens.slots,
      renewals: [renewal] + session.tokens.renewals)
    if stored == .cookies {
      let refused = try await #require(try tokens.provider(in: .user))
      let renewed = try await tokens.credential(in: .user, TokenDemand(refusing: refused))
      #expect(renewed.tokens?.accessToken == "new-1")
      return
    }
    let values = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try await tokens.valid(for: .user).accessToken } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(values == ["new-1"])
    #expect(renewal.asked.withLock { $0.filter { $0 == "renew" } } == ["renew"])
    #expect(world.transport.sent.isEmpty)
  }

  @Test("that refuses what is stored is not run, and takes no lock")
  func refusing() async throws {
    let world = try await World.registered()
    try await world.store("old", lifetime: -1)
    let session = try world.session()
    let renewal = CommandRenewal(slots: session.tokens.slots, refuses: true)
    let tokens = TokenService(
      server: session.server, slots: session.tokens.slots, renewals: [renewal])
    await expect(.policy, "could not use the user's token: not now") {
      _ = try await tokens.valid(for: .user)
    }
    #expect(renewal.asked.withLock { $0 }.isEmpty)
  }

  @Test("that finds the slot changed elsewhere brings what is there, unless that has expired")
  func changedElsewhere() async throws {
    let world = try await World.registered()
    let session = try world.session()
    for lifetime in [-1, 600] as [Int64] {
      try await world.store("old", lifetime: -1)
      let renewal = CommandRenewal(slots: session.tokens.slots) {
        try await world.store("other", lifetime: lifetime)
        throw SDKError(.changedElsewhere, cause: "another machine was faster")
      }
      let tokens = TokenService(
        server: session.server, slots: session.tokens.slots, renewals: [renewal])
      if lifetime > 0 {
        #expect(try await tokens.valid(for: .user).accessToken == "other")
      } else {
        await expect(
          .changedElsewhere, "could not use the user's token: another machine was faster"
        ) { _ = try await tokens.valid(for: .user) }
      }
    }
    #expect(world.notices == [.renewalDiscarded(.user), .renewalDiscarded(.user)])
  }

  @Test("is not asked while the stored token is valid, and not for another slot")
  func unneeded() async throws {
    let world = try World()
    try await world.store("old")
    let session = try world.session()
    let renewal = CommandRenewal(slots: session.tokens.slots)
    let tokens = TokenService(
      server: session.server, slots: session.tokens.slots, renewals: [renewal])
    #expect(try await tokens.valid(for: .user).accessToken == "old")
    await expect(
      .sessionExpired,
      "could not use the login of 'work': it has expired, and the profile does not say how the user logs in again"
    ) { _ = try await tokens.valid(for: .anonymous) }
    #expect(renewal.asked.withLock { $0 }.isEmpty)
  }

  private func store(_ stored: Stored, in world: World) async throws {
    switch stored {
    case .nothing: break
    case .token: try await world.store("old", lifetime: -1)
    case .jwt:
      var tokens = try await world.store("old", lifetime: -1, refreshToken: nil)
      tokens.isSessionJWT = true
      try await world.credentials(.user).save(tokens)
    case .cookies: try await world.credentials(.user).save(.cookies(SessionCookies([])))
    }
  }
}

/// Obtains the user's token somewhere else, as a program of the user's own would.
private final class CommandRenewal: CredentialRenewal {
  let slots: TokenSlots
  let refuses: Bool
  let instead: (@Sendable () async throws -> Void)?
  let asked = Mutex<[String]>([])

  init(
    slots: TokenSlots, refuses: Bool = false, instead: (@Sendable () async throws -> Void)? = nil
  ) {
    self.slots = slots
    self.instead = instead
    self.refuses = refuses
  }

  var environment: SessionEnvironment { slots.environment }
  var lock: ProfileLock { .user }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool { slot == .user }

  func require(_ credential: AuthorizationProvider?) throws(SDKError) {
    if refuses { throw SDKError(.policy, cause: "not now") }
  }

  func prepare(_ credential: AuthorizationProvider?) async throws(SDKError) {
    #expect(LockOrder.held.isEmpty)
    asked.withLock { $0.append("prepare") }
  }

  func newCredential(
    for slot: OpenSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    #expect(LockOrder.held.map(\.lock) == [LockOrder.Rank(.user)])
    asked.withLock { $0.append("renew") }
    do { try await instead?() } catch let error as SDKError { throw error } catch {
      Issue.record(error)
    }
    let number = asked.withLock { $0.count { $0 == "renew" } }
    let tokens = TokenSet(
      accessToken: "new-\(number)", expires: environment.now() + 60, scope: nil, refreshToken: nil,
      obtained: environment.now())
    return try await slots.replace(.user, with: AuthorizationProvider(tokens))
  }
}
