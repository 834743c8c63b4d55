import OpenSSL
import Primitives
import SDKCore
import UAF

extension AuthenticatorKey {
  /// The private key, for a verified user.
  ///
  /// A key that is not encrypted serves only if nobody has to be verified.
  ///
  /// - Parameters:
  ///   - user: how the user was verified.
  ///   - token: the key in a security token, if it is there.
  /// - Returns: the private key.
  /// - Throws: ``SDKError/Code/policy`` if the key was registered with another verification;
  ///   ``SDKError/Code/store`` if it is damaged.
  func signer(for user: VerifiedUser, _ token: PrivateKey?) throws(SDKError) -> PrivateKey {
    switch (key, user, token) {
    case (.securityToken, _, let token?): return token
    case (.sealed(let sealed), .byPasscode(let secret), _):
      guard let pem = try sealed.opened(with: secret) else { throw damaged }
      return try privateKey(pem)
    case (.pem(let pem), .unverified, _): return try privateKey(pem)
    default:
      throw SDKError(
        UAFError(
          .authenticatorAccessDenied,
          "the key was registered with another verification of the user than the profile has now"))
    }
  }

  private func privateKey(_ pem: String) throws(SDKError) -> PrivateKey {
    guard let found = try? PrivateKey(pem: Array(pem.utf8)), found.kind == .ec(.p256) else {
      throw damaged
    }
    return found
  }

  private var damaged: SDKError {
    SDKError(.store, cause: "the key '\(keyID)' of the authenticator is damaged")
  }
}

extension IdentityStore {
  /// A key in a security token that an authenticator can sign with; its PIN is asked for if it is
  /// needed.
  ///
  /// - Throws: ``SDKError/Code/identity`` as for identities, and for a key that is not of P-256.
  func authenticatorKey(inSecurityToken uri: String) async throws(SDKError) -> PrivateKey {
    let key = try await openedSecurityToken(try PKCS11URI(securityToken: uri)).key
    guard key.kind == .ec(.p256) else {
      throw SDKError(.identity, cause: "the key in the security token is not of the curve P-256")
    }
    return key
  }
}
