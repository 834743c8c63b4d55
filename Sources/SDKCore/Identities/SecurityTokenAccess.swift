package import JOSE
import OpenSSL
import Primitives

/// Opens keys of security tokens, outside of any profile.
package struct SecurityTokenAccess: Sendable {
  let pin: IdentityStore.PINSource?

  /// `pin` asks for a PIN that is needed; `nil` if nobody can be asked.
  package init(pin: IdentityStore.PINSource?) { self.pin = pin }

  /// A key that signs tokens.
  ///
  /// - Parameters:
  ///   - text: the URI of the key (RFC 7512).
  ///   - algorithm: what it signs with; `nil` for the usual algorithm of its kind.
  /// - Returns: the key.
  /// - Throws: ``SDKError/Code/identity`` if it cannot be opened; ``SDKError/Code/invalidRequest`` for a
  ///   URI that cannot be used, or an algorithm that is not the key's.
  package func signer(
    at text: String, algorithm: JWSAlgorithm? = nil
  ) async throws(SDKError) -> TokenSigner {
    try await attempt("could not use the key") {
      let key = try await opened(try PKCS11URI(securityToken: text)).key
      do throws(JOSEError) {
        return try TokenSigner(securityToken: key, algorithm: algorithm)
      } catch {
        throw SDKError(.invalidRequest, cause: error.message)
      }
    }
  }

  func opened(_ uri: PKCS11URI) async throws(SDKError) -> SecurityTokenKey {
    var pin: SecurityTokenPIN?
    for _ in 0..<Self.maximumQuestions {
      let given = pin
      let result = try await onBackgroundThread {
        Result<SecurityTokenKey, SecurityTokenError> { () throws(SecurityTokenError) in
          try SecurityTokenKeys.open(uri, module: uri.moduleName, pin: given)
        }
      }
      do throws(SecurityTokenError) {
        return try result.get()
      } catch {
        // Also if it has refused another PIN meanwhile, so that this one was not tried.
        guard case .needsPIN(let info) = error else { throw SDKError(error) }
        pin = SecurityTokenPIN(try await self.pin(of: uri, SecurityToken(info)), for: info)
      }
    }
    throw SDKError(.identity, cause: "the security token has refused several PINs meanwhile")
  }

  private static let maximumQuestions = 3

  private func pin(of uri: PKCS11URI, _ token: SecurityToken) async throws(SDKError) -> [UInt8] {
    if let file = uri.pinFile { return try await token.pin(inFile: file) }
    guard let pin else {
      throw SDKError(
        .identity,
        cause: "the security token '\(VisibleText.of(token.label))' needs a PIN, and there is none")
    }
    return try await pin(token)
  }
}
