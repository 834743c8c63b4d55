import HTTP
import OpenSSL
import POSIX
import Primitives

/// The identities of a profile: imported, exported, requested, checked and renewed.
public struct IdentityService: Sendable {
  let environment: SessionEnvironment
  let identityStore: IdentityStore
  let notice: (@Sendable (SessionNotice) -> Void)?
  /// The caller's service, or that of the profile; `nil` if there is none.
  let obtainer: (any IdentityObtaining)?
  /// Asks for the passcode of a sealed client, before a lock is taken.
  let openClient: @Sendable () async throws(SDKError) -> Void
  /// Makes a new key and self-signed certificate of the client, which the server gets first (RFC 7592);
  /// a passphrase seals the key.
  let renewClientCertificate: @Sendable (_ passphrase: [UInt8]?) async throws(SDKError) -> Void
  var profile: Profile { environment.profile }

  /// The identities on disk; `unlock` asks for the passphrase of a sealed one that is needed, in
  /// place of what the session's options say.
  public func store(unlock: IdentityStore.Unlock? = nil) -> IdentityStore {
    var store = identityStore
    store.unlock = unlock ?? store.unlock
    return store
  }

  /// The hosts that an identity is for if nobody names any: that of the profile's resources.
  var defaultHosts: [IdentityHost] {
    get throws(SDKError) {
      guard let url = profile.resourceURL else { return [] }
      return [try IdentityHost(url.host)]
    }
  }
}

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
      try PKCS12.encode(
        key, identity.chain.leaf, others: Array(identity.chain.certificates.dropFirst()),
        password: password, name: identity.name.description, isLegacy: isLegacy)
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
