import CoreTestSupport
import Foundation

@testable import SDKCore

/// What a process does that has SoftHSM with a key of P-256 and one of P-384, and a file with the PIN.
struct SecurityTokenIdentities {
  private let world: World

  init(configuration: String) throws {
    setenv("SOFTHSM2_CONF", configuration, 1)
    world = try World([
      "identity.obtain": "sap", "identity.attributesURL": "https://ca.test/a",
      "identity.requestURL": "https://ca.test/r",
    ])
    try world.folder.write(SoftHSM.pin + "\n", to: "pin")
  }

  private func uri(_ object: String) -> String {
    "pkcs11:token=work;object=\(object)"
      + "?module-path=\(SoftHSM.module)&pin-source=file:\(world.folder.file("pin"))"
  }

  func refuse() async throws {
    // Nobody can be asked: the PIN is that of the file.
    let store = world.identities()
    await expect(.identity, "the key in the security token is not that of the certificate") {
      try await store.openSecurityToken(
        uri("small"), of: try TestIdentity.make("other", hosts: []))
    }
    await expect(
      .identity, "could not read the security token: it has no certificate for the key"
    ) {
      _ = try await world.session().identities.certificates(ofSecurityToken: uri("small"))
    }
  }

  /// Stores an identity of the key.
  private func stored() async throws -> (Identity, PrivateKey) {
    let store = world.identities()
    let opened = try await store.securityTokenKey(at: try PKCS11URI(securityToken: uri("small")))
    let identity = Identity(
      name: try IdentityName("card"), hosts: [try IdentityHost("api.test")],
      chain: try ClientCertificateChain([certificate(by: opened.key)]),
      key: .securityToken(uri: opened.uri.description), origin: .imported,
      obtainedAt: World.now)
    try await store.save(identity)
    return (identity, opened.key)
  }

  private func certificate(by key: PrivateKey) throws -> Certificate {
    try Certificate.selfSigned(
      by: key, commonName: "alice", from: World.now - 60, to: World.now + 60)
  }

  func renew() async throws {
    let (identity, key) = try await stored()
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

  /// The service gets a request for the same key, and is not told of the former certificate.
  func renewBySAP() async throws {
    let (identity, key) = try await stored()
    try await world.store("u1")
    let issued = try certificate(by: key)
    let tool = try ForeignTool()
    try tool.write("pem", Array(issued.pem.utf8))
    try tool.run("openssl crl2pkcs7 -nocrl -certfile pem -outform DER | base64 > p7")
    world.transport.respond("https://ca.test/a", .json(#"{"subject":"CN=alice"}"#))
    world.transport.respond(
      "https://ca.test/r", .status(200, String(decoding: try tool.read("p7"), as: UTF8.self)))
    let service = try world.session().identities
    guard case .renewed(let renewed, _) = try await service.renew(identity.name) else {
      throw Unmet("it was not renewed")
    }
    #expect(renewed.key == identity.key)
    #expect(renewed.chain.leaf == issued)
    #expect(world.transport.lines == ["GET https://ca.test/a", "POST https://ca.test/r"])
  }
}
