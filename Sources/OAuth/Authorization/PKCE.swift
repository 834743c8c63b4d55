import JOSE
import OpenSSL

/// Proof Key for Code Exchange (RFC 7636), always S256.
package struct PKCE: Sendable {
  /// 43 characters of 256 random bits.
  package let verifier: String

  package init() throws(OAuthError) {
    verifier = try randomText(bytes: 32)
  }

  package init(verifier: String) { self.verifier = verifier }

  /// `BASE64URL(SHA256(verifier))`.
  package var challenge: String { Base64URL.encode(Digest.sha256(verifier)) }
}
