import CoreTestSupport

@testable import SDKCore

@Suite("Identities that are not taken")
struct RefusedIdentityTests {
  private static let token = IdentityKey.securityToken(uri: "pkcs11:object=none;type=private")

  @Test("are those of a file that has another kind of key, or none of that name")
  func files() async throws {
    let key = try PrivateKey.generate(.ec(.p256))
    var wanted = IdentityCertificateRequest()
    wanted.subject = "CN=a"
    let request = try CertificateRequest.make(try wanted.content(), signedBy: key)
    await expect(.invalidRequest, "there is no certificate and no private key") {
      _ = try IdentityMaterial(reading: request)
    }
    var material = IdentityMaterial(key: nil, certificates: [])
    material.keyAlias = "x"
    await expect(
      .invalidRequest, "no private key has the alias 'x'; there are no keys"
    ) { _ = try material.key }
    let certificate = try Certificate.selfSigned(
      by: key, commonName: "a", from: World.now - 1, to: World.now + 1)
    let file = try PKCS12.encode(key, certificate, password: "p", name: "own")
    var named = try IdentityMaterial(reading: file, password: "p")
    named.keyAlias = "own"
    #expect(try named.key?.pkcs8 == key.pkcs8)
    named.keyAlias = "other"
    await expect(
      .invalidRequest, "no private key has the alias 'other'; there are own (CN=a)"
    ) { _ = try named.key }
  }

  @Test("are those whose key is in a security token that has no such key")
  func securityToken() async throws {
    let world = try World()
    let service = FakeEnrolment { identity in
      var changed = identity
      changed.key = Self.token
      return changed
    }
    await expect(
      .malformedResponse,
      "could not obtain an identity for 'api.test': the certificate is not for the key of the "
        + "security token"
    ) {
      _ = try await world.session(enrolment: service).identities.obtain(
        try IdentityRequest(for: "api.test"))
    }
    #expect(try world.identities().names() == [])
  }

  @Test("do not take the place of a key in a security token")
  func ofSecurityToken() async throws {
    let world = try World()
    var identity = try TestIdentity.make(
      "api.test", hosts: ["api.test"], origin: .obtained(by: "fake"))
    identity.key = Self.token
    try await world.identities().save(identity)
    let service = FakeEnrolment()
    await expect(
      .invalidRequest,
      "could not obtain an identity for 'api.test': the key of the identity 'api.test' is in a "
        + "security token: renew it"
    ) {
      _ = try await world.session(enrolment: service).identities.obtain(
        try IdentityRequest(for: "api.test"))
    }
    #expect(service.asked.isEmpty)
    #expect(try world.identities().identity(named: identity.name).key == Self.token)
  }

  @Test("do not take the place of one that a person imported meanwhile")
  func imported() async throws {
    let world = try World()
    let store = world.identities()
    let own = try TestIdentity.make("api.test", hosts: ["api.test"])
    try await store.save(own)
    let new = try TestIdentity.make(
      "api.test", hosts: ["api.test"], origin: .obtained(by: "fake"))
    await expect(
      .identity, "could not store the identity 'api.test': one of that name was imported"
    ) { try await store.store(new, for: "api.test") }
    #expect(try store.identity(named: own.name) == own)
    try await store.store(own, for: "api.test")
    try await store.remove(own.name)
    try await store.store(new, for: "api.test")
    let newer = try TestIdentity.make(
      "api.test", hosts: ["api.test"], origin: .obtained(by: "fake"))
    try await store.store(newer, for: "api.test")
    #expect(try store.identity(named: own.name) == newer)
  }

  @Test(
    "are those whose certificate is not for clients",
    .enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
  func usage() throws {
    let tool = try ForeignTool()
    try tool.run(
      """
      openssl req -x509 -newkey ed25519 -nodes -keyout key -out pem -subj /CN=a -days 9 \
        -addext extendedKeyUsage=serverAuth
      """)
    let chain = try ClientCertificateChain(pem: try tool.read("pem"))
    #expect(chain.condition(at: chain.notBefore, .standard) == .wrongUsage)
    #expect(
      chain.objection(at: chain.notBefore)
        == "the certificate is not for TLS clients (key usage, or extended key usage)")
  }
}
