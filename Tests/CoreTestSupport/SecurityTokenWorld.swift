import Glibc
package import JSON
package import OpenSSL
package import TestSupport

@testable package import SDKCore

/// A process that has SoftHSM with a key of P-256 and one of P-384, and a file with the PIN.
package struct SecurityTokenWorld {
  package let world: World

  package init(
    configuration: String, _ settings: JSONObject = [:], enrolment: EnrolmentServices? = nil
  ) throws {
    setenv("SOFTHSM2_CONF", configuration, 1)
    world = try World(settings, enrolment: enrolment)
    try world.folder.write(SoftHSM.pin + "\n", to: "pin")
  }

  package func uri(_ object: String) -> String {
    "pkcs11:token=work;object=\(object)"
      + "?module-path=\(SoftHSM.module)&pin-source=file:\(world.folder.file("pin"))"
  }

  /// Stores an identity of the smaller key.
  package func stored() async throws -> (Identity, PrivateKey) {
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

  package func certificate(by key: PrivateKey) throws -> Certificate {
    try Certificate.selfSigned(
      by: key, commonName: "alice", from: World.now - 60, to: World.now + 60)
  }
}

extension SoftHSM {
  /// A token with those keys.
  package static func withKeys() throws -> SoftHSM {
    let token = try SoftHSM("work")
    try token.makeKey("small", id: "01")
    try token.makeKey("large", curve: "secp384r1", id: "02")
    return token
  }
}
