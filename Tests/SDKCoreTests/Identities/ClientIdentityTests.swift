import CoreTestSupport

@testable import SDKCore

@Suite("The client certificate of a registration")
struct ClientIdentityTests {
  private static let document = "state/profiles/work/registration.json"
  private static let identity = "state/profiles/work/identities/registration/identity.json"

  private static let url = "https://id.test/register/app"
  private static let managed = """
    {"client_id":"app","registration_access_token":"t","registration_client_uri":"\(url)",\
    "token_endpoint_auth_method":"self_signed_tls_client_auth"}
    """

  private static func registered() async throws -> (world: World, registration: Registration) {
    let world = try World.mutualTLS()
    return (world, try await world.session().registration.register(.certificate()))
  }

  @Test("is an identity of the profile, shown to no host by itself")
  func stored() async throws {
    let (world, registration) = try await Self.registered()
    let text = try world.folder.text(of: Self.document)
    #expect(!text.contains("PRIVATE KEY"))
    #expect(!text.contains("CERTIFICATE"))
    let stored = try world.identities().identity(named: try IdentityName("registration"))
    #expect(stored.chain == registration.certificate)
    #expect(stored.key == registration.key.map { .pem($0.pem) })
    #expect(stored.origin == .selfSigned)
    #expect(stored.hosts == [])
    #expect(try await world.registrations.identity(of: registration) == nil)
    #expect(try await world.session().registration.current() == registration)
  }

  @Test("is used as it was replaced, and is missed before there is a connection")
  func replaced() async throws {
    let (world, _) = try await Self.registered()
    let other = try TestIdentity.make("registration", hosts: [])
    try await world.identities().save(other)
    let current = try #require(try await world.session().registration.current())
    #expect(current.certificate == other.chain)
    #expect(current.clientCertificate == other.clientCertificate)
    try await world.identities().remove(other.name)
    let count = world.transport.sent.count
    let error = await expect(.identity) { try await world.session().tokens.valid(for: .anonymous) }
    #expect(error?.message.contains("gone") == true)
    #expect(world.transport.sent.count == count)
  }

  @Test("of a former version, in the registration, is read and then stored as an identity")
  func migrated() async throws {
    let (world, registration) = try await Self.registered()
    var members = try JSON(parsing: world.folder.bytes(of: Self.document))
    members["identity"] = nil
    members["certificate"] = .string(try #require(registration.certificate).pem)
    members["key"] = ["alg": "ES256", "pem": .string(try #require(registration.key).pem)]
    try world.folder.write(members.serialized(.pretty), to: Self.document)
    try world.folder.remove(Self.identity)
    let store = world.registrations
    let read = try await #require(try store.load())
    #expect(read == registration)
    try await store.save(read)
    #expect(world.folder.exists(Self.identity))
    #expect(try await store.load() == registration)
  }

  @Test("is renewed at the server, which gets the new one before it is stored")
  func renewed() async throws {
    let world = try World.mutualTLS()
    world.transport.respond("https://id.test/register", .json(Self.managed, status: 201))
    let session = try world.session()
    let former = try await session.registration.register(.certificate())
    world.transport.respond(Self.url, .json(Self.managed))
    let name = try IdentityName("registration")
    let notDue = try await session.identities.renew(name, within: .standard)
    #expect(notDue == .notDue(try world.identities().identity(named: name)))
    let renewal = try await session.identities.renew(name)
    let stored = try world.identities().identity(named: name)
    guard case .renewed(stored, former: let before) = renewal else {
      throw Unmet("it was not renewed")
    }
    #expect(before.chain == former.certificate)
    #expect(stored.chain != former.certificate)
    #expect(stored.origin == .selfSigned)
    let current = try #require(try await session.registration.current())
    #expect(current.certificate == stored.chain)
    #expect(current.key.map { .pem($0.pem) } == stored.key)
    let sent = try JSON(parsing: try #require(world.transport.sent.last).body)
    let der = Base64.encode(stored.chain.leaf.der)
    #expect(sent["jwks"]?["keys"]?.array?.first?["x5c"] == [.string(der)])
  }

  private static func sealed() async throws -> (world: World, identity: Identity) {
    let (world, _) = try await registered()
    var identity = try world.identities().identity(named: try IdentityName("registration"))
    guard case .pem(let pem) = identity.key else { throw SDKError(.store, "there is no key") }
    identity.key = .sealed(
      try .sealing(pem, with: Array("correct".utf8), cost: ScryptCost(n: 16, r: 1, p: 1)))
    try await world.identities().save(identity)
    return (world, identity)
  }

  @Test("asks for its passphrase once in a session, before a lock is taken")
  func passphrase() async throws {
    let (world, identity) = try await Self.sealed()
    world.transport.respond(
      World.mutualToken, .json(#"{"access_token":"a","token_type":"bearer","expires_in":1}"#))
    let asked = Mutex(0)
    let session = try world.session(unlock: { (wanted) async throws(SDKError) in
      asked.withLock { $0 += 1 }
      #expect(wanted == identity)
      let lock = try await ProfileLock.acquire(
        .anonymous, of: world.name, at: world.location, waiting: .zero)
      lock.release()
      return Array("correct".utf8)
    })
    for _ in 0..<2 {
      _ = try await session.tokens.valid(for: .anonymous, TokenDemand(forceNew: true))
    }
    #expect(asked.withLock { $0 } == 1)
    let open = try await world.identities(passphrase: "correct").unsealed(identity)
    #expect(world.transport.sent.last?.certificate == open.clientCertificate)
    let count = world.transport.sent.count
    for unlock: IdentityStore.Unlock? in [nil, { _ in Array("wrong".utf8) }] {
      let other = try world.session(unlock: unlock)
      // What was used before it was sealed is not kept open.
      _ = try await other.openedKeys.unsealed(open)
      await expect(.identity) {
        try await other.tokens.valid(for: .anonymous, TokenDemand(forceNew: true))
      }
    }
    #expect(world.transport.sent.count == count)
  }

  @Test("stays sealed when the registration is written again, and when it is renewed")
  func staysSealed() async throws {
    let (world, identity) = try await Self.sealed()
    let store = world.registrations
    let registration = try await #require(try store.load())
    #expect(registration.key == nil)
    try await store.save(registration)
    #expect(try world.identities().identity(named: identity.name) == identity)
    #expect(try await store.load() == registration)
    #expect(try !world.folder.text(of: Self.document).contains("PRIVATE KEY"))
    try await Self.manage(world)
    let session = try world.session()
    await #expect(throws: SDKError.self) {
      try await session.identities.renew(identity.name, unlock: { _ in Array("wrong".utf8) })
    }
    #expect(try world.identities().identity(named: identity.name) == identity)
    let renewal = try await session.identities.renew(
      identity.name, unlock: { _ in Array("correct".utf8) })
    let stored = try world.identities().identity(named: identity.name)
    #expect(renewal == .renewed(stored, former: identity))
    guard case .sealed(let key) = stored.key else { throw Unmet("the key is not sealed") }
    #expect(try key.pem(openedWith: Array("correct".utf8)) != nil)
  }

  /// Lets the server manage the registration, whose key is elsewhere.
  private static func manage(_ world: World) async throws {
    let registration = try await #require(try world.registrations.load())
    #expect(registration.key == nil)
    try await world.save(
      try #require(try JSON(parsing: managed).object), issuer: registration.issuer,
      certificate: registration.certificate)
    world.transport.respond(url, .json(managed))
  }

  @Test("that is sealed is replaced by one of the person's without its passphrase")
  func replacedBySomebody() async throws {
    let (world, _) = try await Self.sealed()
    try await Self.manage(world)
    let key = try SigningKey.generate(.es256)
    var options = RegistrationOptions.certificate()
    options.credential = ClientCredential(
      key: key, certificate: try .selfSigned(key, commonName: nil, at: World.now))
    let updated = try await world.session().registration.update(options)
    #expect(updated.key == key)
  }

  @Test("whose key is in a security token is replaced without it")
  func replacedInSecurityToken() async throws {
    let (world, _) = try await Self.registered()
    var identity = try world.identities().identity(named: try IdentityName("registration"))
    identity.key = .securityToken(uri: "pkcs11:object=none;type=private")
    try await world.identities().save(identity)
    try await Self.manage(world)
    let updated = try await world.session().registration.update(.certificate())
    #expect(updated.certificate != identity.chain)
    #expect(updated.key != nil)
  }

  private static let place = "state/profiles/work/identities/registration"

  /// A registration with a sealed key that was written, and then could not become an identity.
  private static func halfWay() async throws -> (world: World, registration: Registration) {
    let (world, registration) = try await registered()
    let store = world.registrations
    try await store.remove()
    try world.folder.write("", to: place)
    let key = registration.key.map { IdentityKey($0) }
    let sealedKey = try await key?.sealed(with: Array("correct".utf8))
    await #expect(throws: SDKError.self) { try await store.save(registration, sealed: sealedKey) }
    return (world, registration)
  }

  @Test("that is renewed sealed is never in the clear, also if a kill stops it half way")
  func sealedHalfWay() async throws {
    let (world, registration) = try await Self.halfWay()
    let store = world.registrations
    #expect(try !world.folder.text(of: Self.document).contains("PRIVATE KEY"))
    let read = try await #require(try store.load())
    #expect(read.key == nil)
    #expect(read.certificate == registration.certificate)
    let identity = try await #require(try store.identity(of: read))
    guard case .sealed(let sealed) = identity.key else { throw Unmet("the key is not sealed") }
    let pem = try #require(registration.key).pem
    #expect(try sealed.pem(openedWith: Array("correct".utf8)) == pem)
    // The next one who writes it makes the identity.
    try world.folder.remove(Self.place)
    try await store.save(read)
    let stored = try world.identities().identity(named: identity.name)
    #expect(stored.key == identity.key)
    #expect(try await store.load() == read)
    #expect(try !world.folder.text(of: Self.document).contains("sealed"))
  }

  @Test("does not get the sealed key of another one that a kill has left")
  func otherKey() async throws {
    let (world, registration) = try await Self.halfWay()
    try world.folder.remove(Self.place)
    try await world.save(
      ["client_id": "app"], issuer: registration.issuer,
      certificate: try TestIdentity.make("b", hosts: []).chain)
    #expect(!world.folder.exists(Self.place))
    #expect(try !world.folder.text(of: Self.document).contains("sealed"))
  }

  @Test("is removed with the registration, and if the method changes")
  func removed() async throws {
    let (world, _) = try await Self.registered()
    try await world.registrations.remove()
    #expect(!world.folder.exists(Self.identity))
    let (second, _) = try await Self.registered()
    try await second.register()
    #expect(!second.folder.exists(Self.identity))
  }
}
