import OpenSSL
import Primitives

extension IdentityService {
  /// Encodes an identity whose key is not sealed as PKCS #12.
  ///
  /// - Parameters:
  ///   - identity: the identity, unsealed.
  ///   - password: the password of the file; may be empty.
  ///   - isLegacy: whether it is for old programs: 3DES and SHA-1.
  /// - Returns: the file.
  /// - Throws: ``SDKError/Code/identity`` if the key is in a security token.
  public func pkcs12(
    _ identity: Identity, password: String, isLegacy: Bool = false
  ) throws(SDKError) -> [UInt8] {
    let key = try privateKey(of: identity)
    return try attempt {
      try PKCS12(
        key: key, certificate: identity.chain.leaf,
        others: Array(identity.chain.certificates.dropFirst())
      ).encoded(password: password, name: identity.name.description, isLegacy: isLegacy)
    }
  }

  /// The private key of an unsealed identity as PEM (PKCS #8), encrypted if there is a passphrase.
  ///
  /// - Throws: ``SDKError/Code/identity`` if the key is sealed; ``SDKError/Code/unavailable`` if it
  ///   cannot be encrypted.
  public func privateKeyPEM(
    of identity: Identity, passphrase: String? = nil
  ) throws(SDKError) -> String {
    let key = try privateKey(of: identity)
    guard let passphrase else { return key.pem }
    return try attempt { try key.encryptedPEM(passphrase: passphrase) }
  }

  private func privateKey(of identity: Identity) throws(SDKError) -> PrivateKey {
    guard case .pem(let pem) = identity.key else {
      throw SDKError(
        .identity, cause: "its key is in a security token, which does not hand it out",
        subject: identity.name.description)
    }
    guard let key = try? PrivateKey(pem: Array(pem.utf8)) else {
      throw SDKError(.invalidConfiguration, cause: "its private key is damaged")
    }
    return key
  }
}
