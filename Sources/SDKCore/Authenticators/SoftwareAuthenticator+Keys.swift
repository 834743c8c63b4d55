import OpenSSL
import Primitives
import UAF

/// The private keys.
extension SoftwareAuthenticator {
  /// The key in the security token that the settings name; its PIN is asked for if it is needed.
  ///
  /// Called before the lock is taken: a person may take long.
  func securityTokenKey() async throws(SDKError) -> PrivateKey? {
    guard case .securityToken(let uri) = settings.userVerification else { return nil }
    return try await openedKey(inSecurityToken: uri)
  }

  /// A key in a security token.
  func openedKey(inSecurityToken uri: String) async throws(SDKError) -> PrivateKey {
    let key = try await securityTokens.openedSecurityToken(try PKCS11URI(securityToken: uri)).key
    guard key.kind == .ec(.p256) else {
      throw SDKError(.identity, cause: "the key in the security token is not of the curve P-256")
    }
    return key
  }

  /// The private key of a registered key, for a verified user.
  ///
  /// A key that is not encrypted serves only if the settings ask for no verification.
  func opened(
    _ key: AuthenticatorKey, by user: VerifiedUser, _ token: PrivateKey?
  ) throws(SDKError) -> PrivateKey {
    switch (key.key, user) {
    case (.securityToken, _):
      guard let token else { break }
      return token
    case (.sealed(let sealed), .secret(let secret)):
      guard let pem = try sealed.opened(with: secret) else { throw damaged(key) }
      return try privateKey(pem, of: key)
    case (.pem(let pem), .byOtherMeans) where settings.userVerification == .none:
      return try privateKey(pem, of: key)
    default: break
    }
    throw failure(
      .authenticatorAccessDenied,
      "the key was registered with another verification of the user than the profile has now")
  }

  private func privateKey(
    _ pem: String, of key: AuthenticatorKey
  ) throws(SDKError) -> PrivateKey {
    guard let found = try? PrivateKey(pem: Array(pem.utf8)), found.kind == .ec(.p256) else {
      throw damaged(key)
    }
    return found
  }

  private func damaged(_ key: AuthenticatorKey) -> SDKError {
    SDKError(
      .store, cause: "the key '\(VisibleText.of(key.keyID))' of the authenticator is damaged")
  }
}
