import JOSE
import OpenSSL

/// Proof Key for Code Exchange (RFC 7636), always S256.
package struct PKCE: Sendable {
  /// 43 characters of 256 random bits.
  package let verifier: String
  /// `BASE64URL(SHA256(verifier))`.
  package let challenge: String

  package init() throws(OAuthError) { try self.init(verifier: try randomText(bytes: 32)) }

  package init(verifier: String) throws(OAuthError) {
    self.verifier = verifier
    do {
      challenge = Base64URL.encode(try Digest.sha256(verifier))
    } catch {
      throw OAuthError(.unsupported, "\(error)")
    }
  }
}
