import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

@Suite("Locks of a shared store")
struct SharedLockTests {
  private let shared: SharedPlaceTests

  init() async throws { shared = try await SharedPlaceTests() }

  @Test(
    "gives up a lock that it never gets, though nobody is seen to hold it",
    .timeLimit(.minutes(5)))
  func never() async throws {
    await shared.store.failCommits(SDKError(.changedElsewhere, "lease not found"))
    await expect(.busy) {
      try await shared.locked(try shared.place(), waiting: .zero) { (_) async throws(SDKError) in }
    }
    #expect(await shared.store.calls.filter { $0 == "commit" }.count == 1)
  }

  @Test("leaves no lock if it does not hear that it has it", arguments: [false, true])
  func unheard(isCancelled: Bool) async throws {
    await shared.store.failAnswers(SDKError(isCancelled ? .cancelled : .network, "no answer"))
    let task = Task {
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      try await shared.locked(try shared.place()) { (_) async throws(SDKError) in }
    }
    await expect(isCancelled ? .cancelled : .network, "no answer") { try await task.value }
    #expect(await shared.store.calls.suffix(2) == ["commit", "revoke"])
    #expect(await shared.store.content.values.allSatisfy { $1.lease == 0 })
  }

  @Test("takes what another process of the machine has refreshed, without a request")
  func refreshed() async throws {
    try await shared.moved()
    func tokens(_ text: String, until end: Timestamp) -> TokenSet {
      TokenSet(accessToken: text, expires: end, scope: nil, refreshToken: "r", obtained: 100)
    }
    try await session().tokens.slots.file(.user).save(tokens("a", until: 120))
    let later = try session()
    let lock = try await ProfileLock.acquire(.user, of: shared.name, at: shared.profiles.location)
    let steps = SteppedExecutor()
    let waiting = Task(executorPreference: steps) {
      try await later.tokens.valid(for: .user).accessToken
    }
    steps.drain()
    try await session().tokens.slots.file(.user).save(tokens("b", until: 9000))
    let before = await shared.store.calls
    lock.release()
    steps.letRun()
    #expect(try await waiting.value == "b")
    #expect(await shared.store.calls == before)
  }

  private func session(
    _ transport: FakeTransport = FakeTransport([:]), injected: InjectedToken? = nil
  ) throws -> ProfileSession {
    try ProfileSession(
      SessionOpening(
        shared.name, in: shared.profiles, injectedToken: injected, options: SessionOptions(),
        limits: .patient, now: { 150 }, pause: { _ in }, network: .scripted(transport)))
  }

  @Test("is not asked for a token in place of one from outside")
  func injected() async throws {
    try await shared.moved()
    let before = await shared.store.calls
    let session = try session(injected: InjectedToken("x", from: nil, at: 150))
    let demand = TokenDemand(forceNew: true)
    await expect(.sessionExpired) { try await session.tokens.valid(for: .user, demand) }
    #expect(await shared.store.calls == before)
  }

  @Test("erases no tokens that are not ours for a new registration")
  func untrusted() async throws {
    try await shared.moved()
    let name = SharedSnapshot.valueKey(shared.path, "p")
    let foreign = Array("of another profile".utf8)
    await shared.store.set(name, foreign)
    let session = try session(
      FakeTransport([
        World.metadataURL: [.json(World.metadata)],
        "https://id.test/register": [.json(#"{"client_id":"new"}"#, status: 201)],
      ]))
    await expect(.untrusted) { try await session.registration.register(RegistrationOptions()) }
    #expect(await shared.store.content.values[name]?.value == foreign)
  }

  @Test("registers no client whose certificate only this machine has")
  func certificate() async throws {
    try await shared.moved()
    let key = try SigningKey.generate(.es256)
    let credential = ClientCredential(
      key: key, certificate: try .selfSigned(key, commonName: nil, at: 150))
    await expect(.policy) {
      try await session().registration.records.file.requirePlace(for: credential)
    }
  }

  @Test("a login is kept although the cluster cannot be reached at its end, and stored later")
  func keptLogin() async throws {
    try await shared.moved()
    await shared.store.fail(SDKError(.network, "no node"))
    let tokens = TokenSet(
      accessToken: "new", expires: 9000, scope: nil, refreshToken: "r", obtained: 150)
    try await session().tokens.slots.store(AuthorizationProvider(tokens), in: .user)
    await shared.store.fail(nil)
    #expect(try await session().tokens.valid(for: .user).accessToken == "new")
    let name = SharedSnapshot.valueKey(shared.path, "p")
    #expect(await shared.store.content.values[name] != nil)
  }

  /// This machine's copy has a token that ends too early, and cannot be refreshed.
  @Test("finds the login that another machine has made, before it asks for one")
  func login() async throws {
    try await shared.moved()
    try await session().tokens.slots.file(.user).save(
      TokenSet(accessToken: "a", expires: 200, scope: nil, refreshToken: nil, obtained: 100))
    #expect(try await session().tokens.valid(for: .user).accessToken == "a")
    let other: JSONObject = [
      "issuer": "https://id.test", "accessToken": "b", "tokenType": "Bearer", "obtained": 150,
      "expires": 9000,
    ]
    try await shared.put(other, counter: 9)
    let demand = TokenDemand(minimumLifetime: 1000)
    let later = try session()
    #expect(try await later.tokens.valid(for: .user).accessToken == "a")
    #expect(try await later.tokens.valid(for: .user, demand).accessToken == "b")
  }

  @Test("a lease lives longer only if the store says so", .timeLimit(.minutes(5)))
  func keptAlive() async throws {
    for lives in [true, false] {
      let store = MemoryStore()
      let lease = SharedLease(of: store, keptAliveEach: .milliseconds(1))
      let id = try await lease.obtained()
      #expect(try await lease.obtained() == id)
      let until = lease.until
      if !lives { await store.endLeases() }
      lease.keepAlive()
      while await store.calls.count < 4 { await Task.yield() }
      #expect((lease.until > until) == lives)
      lease.abandon()
    }
  }

  @Test("the lease of a killed process ends before those that wait for its lock give up")
  func lease() {
    #expect(.seconds(SharedLease.life + 15) < SessionLimits().lock)
    #expect(.seconds(SharedLease.life) > SessionLimits().exchange)
  }
}
