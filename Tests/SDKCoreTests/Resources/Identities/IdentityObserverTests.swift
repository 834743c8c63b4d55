import CoreTestSupport

@testable import SDKCore

/// The numbered behaviours of SAP's UserIdentityObserver (research/vendors.md 3.1).
@Suite("Identities on demand")
struct IdentityObserverTests {
  @Test("a person is asked before the locks are taken under which an identity is obtained")
  func preparing() async throws {
    let world = try DemandWorld()
    world.asksUntilShown()
    _ = try await world.fetch()
    #expect(world.obtainer.prepared == [0])
    #expect(world.obtainer.locks == [LockOrder.Rank(.enrolment), .identity])
  }

  /// What is stored, what the host answers, and what follows.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var settings: JSONObject = [:]
    var hasObtainer = true
    var hasHandler = false
    var stored: String?
    var url = "https://api.test/v1/x"
    let answers: [FakeTransport.Response]
    /// The names that were shown, and what the store and the handler noted.
    let shown: [String?]
    var events: [String]?
    var obtained = 0
  }

  private static let obtaining = ["ask api.test", "ask api.test", "store new-1"]
  private static let ok = FakeTransport.Response.status(200)

  static let rows = [
    Row(
      testDescription: "a server that does not ask gets none", answers: [ok], shown: [nil],
      events: []),
    Row(
      testDescription: "if there is none, one is obtained, stored, and the request sent again",
      answers: [DemandWorld.asked, ok], shown: [nil, "new-1"], events: obtaining, obtained: 1),
    Row(
      testDescription: "the handler runs after a new one, before the request is sent again",
      hasHandler: true, answers: [DemandWorld.asked, ok], shown: [nil, "new-1"],
      events: obtaining + ["handler new-1 api.test 1 sent"], obtained: 1),
    Row(
      testDescription: "a stored one that is refused is deleted, and a new one obtained, once",
      stored: "old", answers: [DemandWorld.asked, DemandWorld.refused, ok],
      shown: [nil, "old", "new-1"],
      events: ["ask api.test", "ask api.test", "delete old", "store new-1"], obtained: 1),
    Row(
      testDescription: "a connection that closes is tried again before an identity is deleted",
      stored: "old", answers: [DemandWorld.asked, DemandWorld.closed, ok],
      shown: [nil, "old", "old"], events: ["ask api.test"]),
    Row(
      testDescription: "one that closes a second time has refused the identity", stored: "old",
      answers: [DemandWorld.asked, DemandWorld.closed, DemandWorld.closed, ok],
      shown: [nil, "old", "old", "new-1"],
      events: ["ask api.test", "ask api.test", "delete old", "store new-1"], obtained: 1),
    Row(
      testDescription: "none is obtained for another host than the profile's",
      url: "https://other.test/x", answers: [DemandWorld.asked, ok], shown: [nil, nil]),
    Row(
      testDescription: "the request goes on without one if there is none and no service",
      hasObtainer: false, answers: [DemandWorld.asked, ok], shown: [nil, nil]),
    Row(
      testDescription: "none is obtained for a server that only asks, if the profile says so",
      settings: ["identity.when": "refused"], answers: [DemandWorld.asked, ok], shown: [nil, nil]),
    Row(
      testDescription: "one is obtained for a status that the profile names",
      settings: ["identity.when": "refused", "identity.refusedStatus": "403"],
      answers: [.status(403), ok], shown: [nil, "new-1"], obtained: 1),
  ]

  @Test("a request succeeds with the identity that it needs", arguments: rows)
  func succeeds(row: Row) async throws {
    let world = try DemandWorld(
      row.settings, hasObtainer: row.hasObtainer, handlesAuthentication: row.hasHandler)
    if let stored = row.stored { world.store.put(try world.identity(stored)) }
    world.transport.respond(row.url, row.answers)
    #expect(try await world.fetch("GET", row.url).status == 200)
    #expect(world.shown == row.shown)
    if let events = row.events { #expect(world.store.events == events) }
    #expect(world.obtainer.count == row.obtained)
  }

  @Test("one that is ready is shown at once, and is reported if the server has asked for it")
  func ready() async throws {
    let world = try DemandWorld(hasObtainer: false)
    world.store.put(try world.identity("stored"))
    world.store.isReady = true
    world.respond(.status(200), .status(200))
    #expect(try await world.fetch().clientIdentity == nil)
    _ = try await world.fetch()
    #expect(world.shown == ["stored", "stored"])
    #expect(world.transport.sent.map(\.stopsForCertificate) == [true, true])
    #expect(world.store.events == ["ready api.test"])
  }

  @Test("one that the authorities of the server do not fit was not refused")
  func guess() async throws {
    let world = try DemandWorld()
    world.store.put(try world.identity("stored"))
    world.store.isReady = true
    world.respond(DemandWorld.asked, .status(200))
    let response = try await world.fetch()
    #expect(response.clientIdentity == "stored")
    #expect(world.store.events == ["ready api.test", "ask api.test"])
    #expect(world.transport.sent.map(\.stopsForCertificate) == [true, false])
  }

  @Test("a body that was read before the server asked must be readable again")
  func bodyRead() async throws {
    let asked = FakeTransport.Response.failure(
      TransportError(
        .clientCertificateRequired, "the server requires a client certificate",
        certificateRefusal: ClientCertificateRefusal(.requested, hasSent: true)))
    for (canRewind, count) in [(true, 2), (false, 1)] {
      let world = try DemandWorld()
      world.store.put(try world.identity("stored"))
      world.respond(asked, .status(200))
      let source = RewindSource(canRewind: canRewind)
      let status = try? await world.fetch("POST", body: .stream(source, length: 1)).status
      #expect(status == (canRewind ? 200 : nil))
      #expect(world.transport.sent.count == count)
      // Once to know whether it can be, and once before it is sent again.
      #expect(source.rewinds == count)
    }
  }

  @Test("a stored one is shown to a server that asks, and from then on at once")
  func stored() async throws {
    let world = try DemandWorld()
    let identity = try world.identity("stored")
    world.store.put(identity)
    world.respond(DemandWorld.asked, .status(200), .status(200))
    let response = try await world.fetch()
    #expect(response.status == 200)
    #expect(response.clientIdentity == "stored")
    #expect(world.shown == [nil, "stored"])
    _ = try await world.fetch()
    #expect(world.shown == [nil, "stored", "stored"])
    #expect(world.store.events == ["ask api.test"])
    #expect(world.obtainer.count == 0)
  }

  @Test(
    "at a host that the profile does not allow none is obtained, and the error says how to allow it",
    arguments: [true, false])
  func otherHost(hasObtainer: Bool) async throws {
    let world = try DemandWorld(["allowedHosts": ["b.test"]], hasObtainer: hasObtainer)
    world.transport.respond("https://other.test:8443/x", DemandWorld.asked, DemandWorld.refused)
    let error = await expect(.identity) {
      try await world.fetch("GET", "https://other.test:8443/x")
    }
    #expect(world.obtainer.count == 0)
    let remedy = Remedy.setProfile(key: "allowedHosts", value: "b.test,other.test:8443")
    #expect((error?.remedy == remedy) == hasObtainer)
    #expect(error?.message.contains("the profile does not allow that host") == hasObtainer)
  }

  @Test("none is obtained in place of one that a host refused which the profile does not allow")
  func refusedElsewhere() async throws {
    let world = try DemandWorld(["allowedHosts": ["b.test"]])
    world.store.put(try world.identity("old"))
    world.transport.respond("https://other.test/x", DemandWorld.asked, DemandWorld.refused)
    let error = await expect(.identity) { try await world.fetch("GET", "https://other.test/x") }
    #expect(
      error?.message.hasSuffix("other.test refused the identity 'old': it is revoked") == true)
    #expect(world.obtainer.count == 0 && !world.store.events.contains("delete old"))
  }

  @Test("to a host that accepts none of several, another one is to be imported")
  func noneAccepted() async throws {
    let world = try DemandWorld(hasObtainer: false)
    world.store.names = [try IdentityName("a"), try IdentityName("b")]
    world.respond(DemandWorld.asked, DemandWorld.asked)
    let error = await expect(.identity) { try await world.fetch() }
    #expect(error?.details.last == "identities for the host: a, b")
    #expect(error?.remedy == .importIdentity(host: "api.test"))
  }

  @Test("the profile is not blamed if it allows the host, or if the connection was just closed")
  func otherCauses() async throws {
    let own = try DemandWorld(["identity.when": "refused"])
    own.respond(DemandWorld.asked, DemandWorld.asked)
    let asked = await #expect(throws: SDKError.self) { try await own.fetch() }
    #expect(asked?.message.contains("does not allow") == false)
    #expect(asked?.remedy == .importIdentity(host: "api.test"))
    #expect(own.obtainer.count == 0)
    let other = try DemandWorld(["allowedHosts": ["b.test"]])
    other.transport.respond(
      "https://other.test/x", DemandWorld.asked, DemandWorld.closed, DemandWorld.closed)
    let closed = await #expect(throws: SDKError.self) {
      try await other.fetch("GET", "https://other.test/x")
    }
    #expect(closed?.message.contains("does not allow") == false && closed?.remedy == nil)
  }

  @Test("one whose key cannot be used, or that has expired, is not shown, and the error says why")
  func unusable() async throws {
    var token = try DemandWorld.identity("card")
    token.key = .securityToken(uri: "pkcs11:object=none")
    let closed = try DemandWorld(hasObtainer: false)
    closed.store.put(token)
    closed.asksUntilShown()
    var error = await #expect(throws: SDKError.self) { try await closed.fetch() }
    #expect(
      error?.message.hasSuffix("the key of the identity 'card' is in a security token") == true)
    var old = try TestIdentity.make("old", hosts: ["api.test"], lifetime: -1)
    for hasObtainer in [false, true] {
      let world = try DemandWorld(hasObtainer: hasObtainer)
      world.store.put(old)
      world.respond(DemandWorld.asked, DemandWorld.refused)
      error = await #expect(throws: SDKError.self) { try await world.fetch() }
      #expect(error?.code == .identity && world.obtainer.count == 0)
      let start = "the identity 'old' is not shown to api.test: the certificate expired at "
      #expect(error?.message.contains(start) == true)
      // A key in a security token is not replaced by one in a file.
      old.key = token.key
    }
  }

  @Test("a stored one that has expired is replaced, and not shown", arguments: [false, true])
  func expired(hasService: Bool) async throws {
    let world = try DemandWorld(hasObtainer: hasService)
    let made = try TestIdentity.make(
      "old", hosts: ["api.test"], commonName: "old", lifetime: -60, origin: .obtained(by: "test"))
    world.store.put(made)
    world.respond(DemandWorld.asked, .status(200))
    #expect(try await world.fetch().status == 200)
    #expect(world.shown == [nil, hasService ? "new-1" : nil])
  }

  @Test("a request that was cancelled while it obtained one does not fail those that wait for it")
  func cancelledLeader() async throws {
    let world = try DemandWorld()
    world.asksUntilShown()
    world.obtainer.hold(until: 2, of: world.transport)
    world.obtainer.failOnce(SDKError(.cancelled, "cancelled"))
    async let first = Self.code(world)
    async let second = Self.code(world)
    #expect(await [first, second].compactMap { $0 } == [.cancelled])
    #expect(world.obtainer.count == 2)
  }

  /// How a request fails; `nil` if it does not.
  private static func code(_ world: DemandWorld) async -> SDKError.Code? {
    do {
      _ = try await world.fetch()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("a stored one that is refused stays if no other can be obtained")
  func refusedWithoutService() async throws {
    let world = try DemandWorld(hasObtainer: false)
    world.store.put(try world.identity("old"))
    world.respond(DemandWorld.asked, DemandWorld.refused)
    let error = await expect(.identity) { try await world.fetch() }
    #expect(error?.message.contains("refused the identity 'old'") == true)
    #expect(!world.store.events.contains { $0.hasPrefix("delete") })
  }

  @Test("an imported one that is refused stays until a new one was obtained")
  func refusedImport() async throws {
    let world = try DemandWorld()
    let issued = try world.identity("old")
    let imported = Identity(
      name: issued.name, hosts: issued.hosts, chain: issued.chain, key: issued.key,
      origin: .imported, obtainedAt: issued.obtainedAt)
    world.store.put(imported)
    world.obtainer.fail(SDKError(.refused, "no"))
    world.respond(DemandWorld.asked, DemandWorld.refused)
    await #expect(throws: SDKError.self) { try await world.fetch() }
    #expect(!world.store.events.contains { $0.hasPrefix("delete") })
  }

  @Test("a new one that is refused fails the request; no second one is obtained")
  func refusedAgain() async throws {
    let world = try DemandWorld()
    world.respond(DemandWorld.asked, DemandWorld.refused)
    let error = await expect(.identity) { try await world.fetch() }
    #expect(error?.message.contains("which was deleted") == true)
    #expect(world.obtainer.count == 1)
    #expect(world.store.events.last == "delete new-1")
    // The failure is not sticky.
    world.respond(DemandWorld.asked, .status(200))
    #expect(try await world.fetch().status == 200)
    #expect(world.obtainer.count == 2)
  }

  @Test("a new one that is refused and cannot be deleted is not said to be deleted")
  func notDeleted() async throws {
    let world = try DemandWorld()
    world.store.keepsAll = true
    world.respond(DemandWorld.asked, DemandWorld.refused)
    let error = await expect(.identity) { try await world.fetch() }
    #expect(error?.message.contains("could not be taken out of use: no space") == true)
  }

  @Test("parallel requests obtain one, and all succeed with it")
  func singleFlight() async throws {
    let world = try DemandWorld()
    world.asksUntilShown()
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await world.fetch().status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 20))
    #expect(world.obtainer.count == 1)
  }

  @Test("parallel requests all fail if the service refuses, and it is asked once")
  func sharedFailure() async throws {
    let world = try DemandWorld()
    world.asksUntilShown()
    world.obtainer.fail(SDKError(.refused, "could not obtain: no"))
    // The service answers when all have asked for it.
    world.obtainer.hold(until: 10, of: world.transport)
    let codes = await withTaskGroup(of: SDKError.Code?.self) { group in
      for _ in 0..<10 {
        group.addTask {
          do throws(SDKError) {
            _ = try await world.fetch()
            return nil
          } catch { return error.code }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: SDKError.Code.refused, count: 10))
    #expect(world.obtainer.count == 1)
  }

  @Test("the certificate of a bound token is neither replaced nor taken for an identity")
  func boundCertificate() async throws {
    let world = try DemandWorld()
    world.store.isReady = true
    world.store.put(try world.identity("stored"))
    let bound = try #require(try world.identity("bound").clientCertificate)
    var request = ObservedRequest(
      id: .unique(), HTTPRequest(.get, try HTTPURL("https://api.test/v1/x")), isAtOrigin: true)
    request.clientCertificate = bound
    let observer = world.observer
    try await observer.willSend(&request)
    #expect(request.clientCertificate == bound)
    #expect(request.identity == nil)
    let decision = try await observer.didReceive(ClientCertificateRefusal(.alert(44)), to: request)
    #expect(decision == .fail)
    #expect(world.store.events.isEmpty)
    #expect(world.obtainer.count == 0)
  }

  @Test("an identity is shown at the origin of the request only", arguments: [true, false])
  func otherOrigin(isAtOrigin: Bool) throws {
    let identity = try DemandWorld.identity("stored")
    var request = ObservedRequest(
      id: .unique(), HTTPRequest(.get, try HTTPURL("https://api.test/v1/x")), isAtOrigin: isAtOrigin
    )
    request.show(identity)
    #expect((request.identity != nil) == isAtOrigin)
    #expect((request.clientCertificate != nil) == isAtOrigin)
  }

  @Test("a request that must not be repeated fails if the connection closes without a reason")
  func closedPost() async throws {
    let world = try DemandWorld()
    world.store.put(try world.identity("old"))
    world.respond(DemandWorld.asked, DemandWorld.closed, .status(200))
    await expect(.identity) { try await world.fetch("POST") }
    #expect(!world.store.events.contains("delete old"))
  }

  @Test("one that another process stored meanwhile is used, and none is obtained")
  func storedMeanwhile() async throws {
    let world = try DemandWorld()
    let lock = try await ProfileLock.acquire(.enrolment, of: world.name, at: world.location)
    world.respond(DemandWorld.asked, .status(200))
    async let response = world.fetch()
    while world.store.events.isEmpty { await Task.yield() }
    world.store.put(try world.identity("theirs"))
    lock.release()
    #expect(try await response.status == 200)
    #expect(world.shown == [nil, "theirs"])
    #expect(world.obtainer.count == 0)
  }

  @Test("what a service issues is refused if it is for another key")
  func otherKey() async throws {
    let world = try DemandWorld()
    world.obtainer.swapKeys()
    world.respond(DemandWorld.asked, .status(200))
    await expect(.malformedResponse) { try await world.fetch() }
    #expect(!world.store.events.contains { $0.hasPrefix("store") })
  }
}
