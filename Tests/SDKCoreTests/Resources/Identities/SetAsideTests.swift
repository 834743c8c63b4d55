import CoreTestSupport

@testable import SDKCore

/// What a person imported or made is never deleted by a server's word.
@Suite("Identities that a server refuses")
struct SetAsideTests {
  /// A profile whose server asks for certificates, and a service that issues them.
  private struct Gateway {
    let world: World
    let session: ProfileSession
    let obtainer = NotingObtainer()

    init(unlock: IdentityStore.Unlock? = nil) throws {
      world = try World()
      session = try world.session(unlock: unlock)
      session.resources.register(IdentityObserver(session, obtainer: obtainer))
    }

    var store: IdentityStore { session.identities.store() }

    /// Stores an identity for the host.
    func put(
      _ name: String, _ origin: Identity.Origin = .imported, passphrase: String? = nil,
      lifetime: Int64 = 86_400
    ) async throws -> Identity {
      let made = try TestIdentity.make(
        name, hosts: ["api.test"], commonName: name, lifetime: lifetime)
      let identity = Identity(
        name: made.name, hosts: made.hosts, chain: made.chain,
        key: try await made.key.sealed(with: passphrase.map { Array($0.utf8) }), origin: origin,
        obtainedAt: made.obtainedAt)
      try await store.save(identity)
      return identity
    }

    func fetch(_ responses: FakeTransport.Response...) async throws(SDKError) -> Int {
      world.transport.respond("https://api.test/v1/x", responses)
      return try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
        .status
    }

    func names(_ name: String) throws -> (hosts: [String], refusedBy: [String]) {
      let identity = try store.identity(named: try IdentityName(name))
      return (identity.hosts.map(\.description), identity.refusedBy.map(\.description))
    }
  }

  @Test("stay, set aside, if they were imported; the new one has another name")
  func imported() async throws {
    for origin in [Identity.Origin.imported, .selfSigned] {
      let gateway = try Gateway()
      let before = try await gateway.put("api.test", origin)
      #expect(try await gateway.fetch(DemandWorld.asked, DemandWorld.refused, .status(200)) == 200)
      let after = try gateway.store.identity(named: before.name)
      #expect(after.key == before.key)
      #expect(after.chain == before.chain)
      #expect(try gateway.names("api.test") == ([], ["api.test"]))
      #expect(try gateway.names("api.test-2") == (["api.test"], []))
      // The next request shows the new one.
      let stored = try await gateway.store.identity(for: "api.test", acceptableIssuers: [])
      #expect(stored?.name.description == "api.test-2")
    }
  }

  @Test("are used again if the new one is refused too")
  func restored() async throws {
    let gateway = try Gateway()
    let before = try await gateway.put("api.test")
    await expect(.identity) { try await gateway.fetch(DemandWorld.asked, DemandWorld.refused) }
    #expect(gateway.obtainer.count == 1)
    #expect(try gateway.store.names().map(\.description) == ["api.test"])
    #expect(try gateway.store.identity(named: before.name) == before)
  }

  @Test("stay in use if no other can be obtained")
  func notObtained() async throws {
    let gateway = try Gateway()
    let before = try await gateway.put("api.test")
    gateway.obtainer.fail(SDKError(.refused, "no"))
    await #expect(throws: SDKError.self) {
      try await gateway.fetch(DemandWorld.asked, DemandWorld.refused)
    }
    #expect(try gateway.store.identity(named: before.name) == before)
  }

  @Test("stay in use if the new one cannot be stored")
  func notStored() async throws {
    let store = NotingStore()
    store.storeError = SDKError(.store, "no space")
    let before = try TestIdentity.make("api.test", hosts: ["api.test"])
    store.put(before)
    let enrolment = IdentityEnrolment(
      environment: try World().session().environment, store: store, obtainer: NotingObtainer())
    await expect(.store, "no space") {
      _ = try await enrolment.identity(for: "api.test", [], refused: before, mayObtain: true)
    }
    #expect(try await store.identity(for: "api.test", acceptableIssuers: []) == before)
  }

  @Test("are used again when all that were obtained since then are refused")
  func later() async throws {
    let gateway = try Gateway()
    let before = try await gateway.put("api.test")
    _ = try await gateway.fetch(DemandWorld.asked, DemandWorld.refused, .status(200))
    await #expect(throws: SDKError.self) { try await gateway.fetch(DemandWorld.refused) }
    #expect(gateway.obtainer.count == 2)
    #expect(try gateway.store.names().map(\.description) == ["api.test"])
    #expect(try gateway.store.identity(named: before.name) == before)
  }

  @Test("are not replaced when they have expired either")
  func expired() async throws {
    let gateway = try Gateway()
    let before = try await gateway.put("api.test", lifetime: -60)
    #expect(try await gateway.fetch(DemandWorld.asked, .status(200)) == 200)
    #expect(try gateway.store.identity(named: before.name) == before)
    #expect(try gateway.names("api.test-2") == (["api.test"], []))
  }

  @Test("are deleted if they were obtained, and what takes their place is sealed if they were")
  func sealed() async throws {
    for origin in [Identity.Origin.obtained(by: "test"), .imported] {
      let gateway = try Gateway(unlock: { _ in Array("secret".utf8) })
      let before = try await gateway.put("api.test", origin, passphrase: "secret")
      #expect(try await gateway.fetch(DemandWorld.asked, DemandWorld.refused, .status(200)) == 200)
      let name = origin == .imported ? "api.test-2" : "api.test"
      let after = try gateway.store.identity(named: try IdentityName(name))
      #expect(after.chain != before.chain)
      guard case .sealed(let key) = after.key else { throw Unmet("the key is not sealed") }
      #expect(try key.pem(openedWith: Array("secret".utf8)) != nil)
    }
  }

  @Test("and are in a security token are not replaced by one in a file")
  func securityToken() async throws {
    let store = NotingStore()
    let world = try World()
    let made = try TestIdentity.make("card", hosts: ["api.test"])
    store.put(
      Identity(
        name: made.name, hosts: made.hosts, chain: made.chain,
        key: .securityToken(uri: "pkcs11:token=t"), origin: .imported, obtainedAt: made.obtainedAt))
    let session = try world.session()
    let enrolment = IdentityEnrolment(
      environment: session.environment, store: store, obtainer: NotingObtainer())
    let card = try await store.identity(for: "api.test", acceptableIssuers: [])
    await expect(.identity, "api.test refused the identity 'card'") {
      try await enrolment.identity(for: "api.test", [], refused: card, mayObtain: true)
    }
    #expect(!store.events.contains { $0.hasPrefix("delete") || $0.hasPrefix("store") })
  }
}
