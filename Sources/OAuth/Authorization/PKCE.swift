import JOSE

/// A proof key for code exchange (RFC 7636), always S256.
package struct PKCE: Sendable {
  /// 43 characters of 256 random bits.
  package let verifier: String

  package init() throws(OAuthError) {
    verifier = try randomText(bytes: 32)
  }

  package init(verifier: String) { self.verifier = verifier }

  /// `BASE64URL(SHA256(verifier))`.
  package var challenge: String { Base64URL.sha256(verifier) }
}

/// Unguessable text, for `state`, `nonce` and verifiers.
func randomText(bytes: Int) throws(OAuthError) -> String {
  do {
    return try Base64URL.random(byteCount: bytes)
  } catch {
    throw OAuthError(.unsupported, "no random numbers: \(error.message)")
  }
}
