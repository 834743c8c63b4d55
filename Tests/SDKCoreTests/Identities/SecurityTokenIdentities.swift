import CoreTestSupport

@testable import SDKCore

/// What a process does that has keys in a security token.
struct SecurityTokenIdentities {
  private let token: SecurityTokenWorld
  private var world: World { token.world }

  init(configuration: String) throws {
    token = try SecurityTokenWorld(configuration: configuration)
  }

  func refuse() async throws {
    // An empty PIN is not tried, which would count as a wrong one.
    let asked = Mutex(0)
    let access = SecurityTokenAccess(pin: { _ in
      asked.withLock { $0 += 1 }
      return []
    })
    let uri = "pkcs11:token=work;object=small?module-path=\(SoftHSM.module)"
    await expect(.identity) { try await access.key(at: try PKCS11URI(securityToken: uri)) }
    #expect(asked.withLock { $0 } == 3)
    // Nobody can be asked: the PIN is that of the file.
    let store = world.identities()
    await expect(.identity, "the key in the security token is not that of the certificate") {
      try await store.openSecurityToken(
        token.uri("small"), of: try TestIdentity.make("other", hosts: []))
    }
    await expect(
      .identity, "could not read the security token: it has no certificate for the key"
    ) {
      _ = try await world.session().identities.certificates(ofSecurityToken: token.uri("small"))
    }
  }

  func renew() async throws {
    let (identity, key) = try await token.stored()
    let service = try world.session(enrolment: FakeEnrolment()).identities
    await expect(
      .malformedResponse,
      "could not renew the identity 'card': the service returned a certificate for another key"
    ) { _ = try await service.renew(identity.name) }
    #expect(try service.store().identity(named: identity.name) == identity)
    var request = IdentityCertificateRequest()
    request.name = identity.name
    request.keepsKey = true
    let der = try await service.request(request).der
    #expect(try CertificateRequest(der: der).spki == key.publicKey.spki)
  }
}
