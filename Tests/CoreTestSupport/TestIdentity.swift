import OpenSSL
package import Primitives

@testable package import SDKCore

/// Identities with self-signed certificates.
package enum TestIdentity {
  package static let now = World.now

  /// Makes an identity whose certificate is valid from an hour before now.
  package static func make(
    _ name: String, hosts: [String], commonName: String = "tester", lifetime: Int64 = 86_400,
    origin: Identity.Origin = .imported
  ) throws -> Identity {
    let key = try PrivateKey.generate(.ec(.p256))
    let certificate = try Certificate.selfSigned(
      by: key, commonName: commonName, from: now - 3600, to: now + lifetime)
    return Identity(
      name: try IdentityName(name), hosts: try hosts.map { try IdentityHost($0) },
      chain: try ClientCertificateChain(pem: Array(certificate.pem.utf8)), key: .pem(key.pem),
      origin: origin, obtainedAt: now)
  }
}

extension IdentityKey {
  /// The key as PEM; `nil` for one that is sealed or in a security token.
  package var pem: String? { if case .pem(let text) = self { text } else { nil } }
}

extension World {
  /// The identities of the profile.
  package func identities(passphrase: String? = nil) -> IdentityStore {
    var unlock: IdentityStore.Unlock?
    if let passphrase { unlock = { _ in Array(passphrase.utf8) } }
    return IdentityStore(store, name, unlock: unlock, now: { TestIdentity.now })
  }
}
