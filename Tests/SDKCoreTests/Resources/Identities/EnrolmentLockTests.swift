import CoreTestSupport

@testable import SDKCore

/// The order of locks (``ProfileLock``): who enrols may need a token, who refreshes needs no enrolment.
@Suite("The locks of enrolments and of tokens")
struct EnrolmentLockTests {
  private static let token = #"{"access_token":"a2","token_type":"bearer","expires_in":60}"#

  /// A client that shows a certificate, whose user's token has expired.
  private static func world() async throws -> World {
    let world = try World.mutualTLS()
    _ = try await world.session().registration.register(.certificate())
    try await world.store("a1", lifetime: -60)
    world.transport.respond(World.mutualToken, .json(token))
    world.transport.respond("https://api.test/v1/x", .status(200))
    world.transport.setDefaultCheck { sent in
      sent.url.hasPrefix("https://api.test") && sent.certificate == nil ? DemandWorld.asked : nil
    }
    return world
  }

  private static let limits: SessionLimits = {
    var limits = SessionLimits()
    limits.lock = .milliseconds(200)
    return limits
  }()

  @Test("a refresh with a client certificate waits for no enrolment")
  func refresh() async throws {
    let world = try await Self.world()
    let locks = HeldLocks()
    locks.add(try await ProfileLock.acquire(.enrolment, of: world.name, at: world.location))
    for name in ["registration", "api.test"] {
      locks.add(
        try await ProfileLock.acquire(
          identity: try IdentityName(name), of: world.name, at: world.location, waiting: .zero))
    }
    let session = try world.session(limits: Self.limits)
    #expect(try await session.tokens.valid(for: .user).accessToken == "a2")
    #expect(world.transport.sent.last?.certificate != nil)
    locks.release()
  }

  @Test("an enrolment that needs a token and a refresh in another process both end")
  func both() async throws {
    let world = try await Self.world()
    let service = TokenEnrolment()
    let enrolling = try world.session(enrolment: service)
    service.use(enrolling)
    // Another process refreshes: it holds the lock of the user's slot when the enrolment begins.
    let refresh = try await ProfileLock.acquire(.user, of: world.name, at: world.location)
    async let status = DeviceClient(enrolling).sendUnauthenticated(ResourceRequest("GET", "/x"))
      .status
    while service.count == 0 { await Task.yield() }
    try await world.store("a3")
    refresh.release()
    #expect(try await status == 200)
    #expect(service.tokens == ["a3"])
  }

  @Test("nobody is asked for the passphrase of a refused identity under them")
  func passphrase() async throws {
    let world = try World()
    let asked = Mutex<[Int]>([])
    let first = Mutex<[UInt8]?>(nil)
    let session = try world.session(
      enrolment: FakeEnrolment(),
      unlock: { (_) async throws(SDKError) in
        asked.withLock { $0.append(LockOrder.held.count) }
        return Array("secret".utf8)
      })
    let request = try IdentityRequest(for: "api.test")
    let sealed = try await session.identities.obtain(request, passphrase: Array("secret".utf8))
    world.transport.respond("https://api.test/v1/x", .status(200))
    world.transport.setDefaultCheck { sent in
      guard let chain = sent.certificate?.chain else { return DemandWorld.asked }
      return first.withLock { known in
        known = known ?? chain
        return known == chain ? DemandWorld.refused : nil
      }
    }
    let response = try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
    #expect(response.status == 200)
    #expect(asked.withLock { !$0.isEmpty && $0.allSatisfy { $0 == 0 } })
    let new = try session.identities.store().identity(named: sealed.name)
    #expect(new.key.isSealed && new.chain != sealed.chain)
  }

  @Test("an enrolment and a renewal of the same identity follow each other")
  func renewal() async throws {
    let world = try await Self.world()
    let session = try world.session(limits: Self.limits, enrolment: FakeEnrolment())
    let renewal = try await ProfileLock.acquire(
      identity: try IdentityName("api.test"), of: world.name, at: world.location, waiting: .zero)
    await expect(.busy) {
      try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
    }
    renewal.release()
    _ = try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
  }
}

/// A service that issues identities for a token of the user.
private final class TokenEnrolment: IdentityObtaining {
  let name = "token"
  private let inner = FakeEnrolment()
  private let state = Mutex<(session: ProfileSession?, count: Int, tokens: [String])>((nil, 0, []))

  var count: Int { state.withLock { $0.count } }
  var tokens: [String] { state.withLock { $0.tokens } }

  func use(_ session: ProfileSession) { state.withLock { $0.session = session } }

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let session = state.withLock { state in
      state.count += 1
      return state.session
    }
    guard let session else { throw SDKError(.unavailable, "there is no session") }
    let token = try await session.tokens.valid(for: .user).accessToken
    state.withLock { $0.tokens.append(token) }
    return try await inner.obtain(request)
  }
}
