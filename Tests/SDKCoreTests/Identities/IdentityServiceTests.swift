import CoreTestSupport

@testable import SDKCore

@Suite("Imported, requested and renewed identities")
struct IdentityServiceTests {
  private static func material(
    lifetime: Int64 = 86_400
  ) throws -> (material: IdentityMaterial, key: PrivateKey, certificate: Certificate) {
    let key = try PrivateKey.generate(.ec(.p256))
    let certificate = try Certificate.selfSigned(
      by: key, commonName: "alice", from: World.now - 60, to: World.now + lifetime)
    return (IdentityMaterial(key: key, certificates: [certificate]), key, certificate)
  }

  @Test("get the key of their request, which is stored until then; sealed if it was")
  func requested() async throws {
    let world = try World()
    let service = try world.session().identities
    var request = IdentityCertificateRequest()
    request.name = try IdentityName("mine")
    request.hosts = [try IdentityHost("*.api.test")]
    request.subject = "CN=alice"
    let (der, name) = try await service.request(request)
    #expect(name.description == "mine")
    #expect(try service.store().names() == [])
    let file = "state/profiles/work/identities/mine/request.json"
    #expect(try service.store().requestedNames() == [name])
    #expect(try service.store().requested(name)?.subject == "CN=alice")
    #expect(try service.store().requested(name)?.keyType == "EC P-256")
    #expect(try world.folder.mode(of: file) == 0o600)
    let stored = try JSON(parsing: world.folder.bytes(of: file))
    let key = try PrivateKey(pem: Array((stored["key"]?["pem"]?.string ?? "").utf8))
    #expect(try CertificateRequest(der: der).spki == key.publicKey.spki)
    let certificate = try Certificate.selfSigned(
      by: key, commonName: "alice", from: World.now, to: World.now + 60)
    let (identity, _) = try await service.add(
      IdentityMaterial(key: nil, certificates: [certificate]), IdentityImportOptions())
    #expect(identity.name == name)
    #expect(identity.hosts == request.hosts)
    #expect(identity.key == .pem(key.pem))
    #expect(!world.folder.exists(file))
    let unknown = try Self.material().certificate
    await expect(.invalidRequest) {
      try await service.add(
        IdentityMaterial(key: nil, certificates: [unknown]), IdentityImportOptions())
    }
  }

  @Test("a second request of the same name is refused, unless it replaces the first one")
  func secondRequest() async throws {
    let world = try World()
    let service = try world.session().identities
    let file = "state/profiles/work/identities/api.test/request.json"
    var request = IdentityCertificateRequest()
    request.subject = "CN=a"
    _ = try await service.request(request)
    let before = try world.folder.text(of: file)
    let second = request
    let error = await expect(.invalidRequest) { _ = try await service.request(second) }
    let name = try IdentityName("api.test")
    #expect(error?.remedy == .replaceRequested(name))
    #expect(try world.folder.text(of: file) == before)
    request.replaces = true
    _ = try await service.request(request)
    #expect(try world.folder.text(of: file) != before)
    try await service.store().removeRequested(name)
    #expect(try service.store().requestedNames() == [])
    await #expect(throws: SDKError.self) { try await service.store().removeRequested(name) }
  }

  @Test("that are deleted leave the request of the same name")
  func deletedBesideRequest() async throws {
    let world = try World()
    let service = try world.session().identities
    let (identity, _) = try await service.add(try Self.material().material, .init())
    var request = IdentityCertificateRequest()
    request.subject = "CN=a"
    _ = try await service.request(request)
    let file = "state/profiles/work/identities/api.test/request.json"
    try await service.store().delete(identity, for: "api.test")
    try await service.store().remove(identity.name)
    #expect(world.folder.exists(file))
    try await service.store().removeRequested(identity.name)
    #expect(!world.folder.exists("state/profiles/work/identities/api.test"))
  }

  @Test("are not obtained over one that a person imported, nor unsealed over a sealed one")
  func obtainedAgain() async throws {
    let world = try World()
    let obtainer = NotingObtainer()
    let service = try world.session(enrolment: obtainer).identities
    let (imported, _) = try await service.add(try Self.material().material, .init())
    let request = try IdentityRequest(for: "api.test")
    await expect(.invalidRequest) { try await service.obtain(request) }
    // Nobody is asked for what is refused anyway.
    #expect(obtainer.prepared.isEmpty)
    #expect(try service.store().identity(named: imported.name) == imported)
    let passphrase = Array("secret".utf8)
    let sealed = try await service.obtain(request, passphrase: passphrase, replaces: true)
    #expect(sealed.key.isSealed)
    await expect(.invalidRequest) { try await service.obtain(request) }
    #expect(try service.store().identity(named: imported.name) == sealed)
    let again = try await service.obtain(request, passphrase: passphrase)
    #expect(again.key.isSealed)
    #expect(again.chain != sealed.chain)
  }

  @Test("take a new certificate of the key that they have")
  func reissued() async throws {
    let service = try World().session().identities
    let (material, key, _) = try Self.material()
    let (identity, _) = try await service.add(material, IdentityImportOptions())
    var request = IdentityCertificateRequest()
    request.name = identity.name
    request.keepsKey = true
    let der = try await service.request(request).der
    #expect(try CertificateRequest(der: der).spki == key.publicKey.spki)
    let reissued = try Certificate.selfSigned(
      by: key, commonName: "alice", from: World.now, to: World.now + 999_999)
    let (renewed, former) = try await service.add(
      IdentityMaterial(key: nil, certificates: [reissued]), IdentityImportOptions())
    #expect(renewed.name == identity.name)
    #expect(former == identity)
    #expect(renewed.chain.leaf == reissued)
  }

  @Test("are renewed by a service, which gets the former one; sealed ones are sealed again")
  func renewed() async throws {
    let world = try World()
    let enrolment = FakeEnrolment()
    let service = try world.session(enrolment: enrolment).identities
    var options = IdentityImportOptions()
    options.passphrase = Array("secret".utf8)
    let (material, key, _) = try Self.material()
    let (sealed, _) = try await service.add(material, options)
    let other = Identity(
      name: sealed.name, hosts: sealed.hosts, chain: sealed.chain, key: sealed.key,
      origin: sealed.origin, obtainedAt: World.now - 9)
    let renewal = try await service.renew(sealed.name) { (_) async throws(SDKError) in
      // A person may take longer than others wait for a lock, and another process be faster.
      #expect(LockOrder.held.isEmpty)
      try await service.store().save(other)
      return Array("secret".utf8)
    }
    guard case .renewed(let renewed, former: let former) = renewal else {
      throw Unmet("it was not renewed")
    }
    #expect(former == other)
    #expect(enrolment.asked.first?.current?.key == .pem(key.pem))
    #expect(enrolment.asked.first?.host == "api.test")
    #expect(renewed.origin == .obtained(by: "fake"))
    guard case .sealed(let secret) = renewed.key else { throw Unmet("the key is not sealed") }
    #expect(try secret.pem(openedWith: Array("secret".utf8)) != nil)
    #expect(try service.store().identity(named: sealed.name) == renewed)
  }

  @Test(
    "stay as they are if the service returns what cannot be used",
    arguments: ["another key", "expired", "another name", "another subject", "refused"])
  func hostileService(kind: String) async throws {
    let enrolment = FakeEnrolment { issued in
      switch kind {
      case "another key":
        var changed = issued
        changed.key = .pem(try PrivateKey.generate(.ec(.p256)).pem)
        return changed
      case "expired":
        return try TestIdentity.make(issued.name.description, hosts: [], lifetime: -60)
      case "another name": return try TestIdentity.make("other", hosts: [])
      case "another subject":
        let made = try TestIdentity.make("x", hosts: [], commonName: "bob")
        return Identity(
          name: issued.name, hosts: issued.hosts, chain: made.chain, key: made.key,
          origin: issued.origin, obtainedAt: issued.obtainedAt)
      default: throw SDKError(.refused, "no")
      }
    }
    let service = try World().session(enrolment: enrolment).identities
    let (identity, _) = try await service.add(
      try Self.material().material, IdentityImportOptions())
    await #expect(throws: SDKError.self) { try await service.renew(identity.name) }
    #expect(try service.store().identity(named: identity.name) == identity)
    #expect(try service.store().names() == [identity.name])
  }

  @Test("are renewed once for parallel callers, and only if they are due")
  func once() async throws {
    let enrolment = FakeEnrolment()
    let service = try World().session(enrolment: enrolment).identities
    let (identity, _) = try await service.add(
      try Self.material(lifetime: 60).material, IdentityImportOptions())
    let renewals = try await withThrowingTaskGroup(of: IdentityRenewal.self) { group in
      for _ in 0..<8 {
        group.addTask { try await service.renew(identity.name, within: .before(seconds: 3600)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(enrolment.asked.count == 1)
    let now = try service.store().identity(named: identity.name)
    #expect(renewals.filter { $0 == .renewed(now, former: identity) }.count == 1)
    #expect(renewals.filter { $0 == .notDue(now) }.count == 7)
  }

  @Test("are told to the service as no longer used once the new one is stored, whatever it says")
  func retired() async throws {
    let world = try World()
    let enrolment = RetiringEnrolment()
    let service = try world.session(enrolment: enrolment).identities
    let (former, _) = try await service.add(try Self.material().material, IdentityImportOptions())
    enrolment.store.withLock { $0 = service.store() }
    guard case .renewed(let renewed, _) = try await service.renew(former.name) else {
      throw Unmet("it was not renewed")
    }
    #expect(enrolment.retired.withLock { $0 } == [former.chain, renewed.chain])
  }

  @Test("are obtained for a host")
  func obtained() async throws {
    let enrolment = FakeEnrolment()
    let service = try World().session(enrolment: enrolment).identities
    let identity = try await service.obtain(try IdentityRequest(for: "*.API.test"))
    #expect(identity.name.description == "_wildcard.api.test")
    #expect(identity.hosts.map(\.description) == ["*.api.test"])
    #expect(enrolment.asked.first?.host == "api.test")
    #expect(try service.store().identity(named: identity.name) == identity)
    let other = FakeEnrolment { _ in try TestIdentity.make("other", hosts: []) }
    let error = await expect(.malformedResponse) {
      try await World().session(enrolment: other).identities.obtain(
        try IdentityRequest(for: "api.test"))
    }
    #expect(error?.message.hasSuffix("the service returned another identity") == true)
  }

  @Test(
    "are not obtained if the certificate names nobody",
    .enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
  func nameless() async throws {
    let tool = try ForeignTool()
    try tool.run(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -out cert \
        -days 3650 -subj /
      """)
    let chain = try ClientCertificateChain(pem: try tool.read("cert"))
    let key = String(decoding: try tool.read("key"), as: UTF8.self)
    try await Self.expectRefusal("the certificate names nobody") { issued in
      Identity(
        name: issued.name, hosts: issued.hosts, chain: chain, key: .pem(key),
        origin: issued.origin, obtainedAt: issued.obtainedAt)
    }
  }

  @Test("are not obtained under another name")
  func renamed() async throws {
    try await Self.expectRefusal("the service returned another identity") { issued in
      Identity(
        name: try IdentityName("other"), hosts: issued.hosts, chain: issued.chain, key: issued.key,
        origin: issued.origin, obtainedAt: issued.obtainedAt)
    }
  }

  private static func expectRefusal(
    _ cause: String, _ change: @escaping @Sendable (Identity) throws -> Identity
  ) async throws {
    let service = try World().session(enrolment: FakeEnrolment(change)).identities
    let error = await #expect(throws: SDKError.self) {
      try await service.obtain(try IdentityRequest(for: "api.test"))
    }
    #expect(error?.message.hasSuffix(cause) == true)
    #expect(try service.store().names() == [])
  }

  @Test("report the slots whose tokens are bound to them")
  func bound() async throws {
    let world = try World()
    let service = try world.session().identities
    let (identity, _) = try await service.add(
      try Self.material().material, IdentityImportOptions())
    #expect(try await world.session().tokens.slots(boundTo: identity.chain) == [])
    let token = Self.token(boundTo: identity.chain.thumbprint)
    try await CredentialStore(
      ProfileSecrets(location: world.location, profile: world.name), .user,
      issuer: "https://id.test"
    ).save(
      TokenSet(
        accessToken: token, expires: nil, scope: nil, refreshToken: nil, obtained: World.now))
    #expect(try await world.session().tokens.slots(boundTo: identity.chain) == [.user])
    #expect(
      try await world.session().tokens.slots(boundTo: TestIdentity.make("b", hosts: []).chain) == []
    )
    // The identity goes along with the token, though the client is not registered with it.
    let tokens = try world.session().tokens
    #expect(try await tokens.certificate(boundTo: token) == identity.clientCertificate)
    #expect(try await tokens.certificate(boundTo: Self.token(boundTo: "x")) == nil)
  }

  private static func token(boundTo thumbprint: String) -> String {
    func part(_ json: JSON) -> String {
      Base64.encode(Array(json.serialized(.compact).utf8), alphabet: .url)
    }
    let claims: JSON = ["cnf": ["x5t#S256": .string(thumbprint)]]
    return part(["alg": "ES256"]) + "." + part(claims) + ".AAAA"
  }
}

/// Notes what is retired, and what is stored then; refuses.
private final class RetiringEnrolment: IdentityObtaining {
  let store = Mutex<IdentityStore?>(nil)
  let retired = Mutex<[ClientCertificateChain]>([])
  private let service = FakeEnrolment()
  let name = "fake"

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    try await service.obtain(request)
  }

  func retire(_ identity: Identity) async throws(SDKError) {
    let stored = try store.withLock { $0 }?.identity(named: identity.name)
    retired.withLock { $0 = [identity.chain] + (stored.map { [$0.chain] } ?? []) }
    throw SDKError(.refused, "no")
  }
}
