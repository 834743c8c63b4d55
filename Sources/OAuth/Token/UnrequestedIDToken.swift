import JOSE
import JSON
import OpenSSL

extension TokenResponse {
  /// Leaves out an ID token that nobody asked for: it is not verified, and so not used.
  ///
  /// - Parameter nonce: that of the authorization request; `nil` when there was none.
  /// - Throws: ``OAuthError`` `untrusted` when the token carries another nonce: then the whole
  ///   response may belong to another login.
  package mutating func dropIDToken(nonce: String? = nil) throws(OAuthError) {
    let token = idToken.flatMap { try? JWT($0) }
    idToken = nil
    guard let nonce, let sent = token?.claims["nonce"] else { return }
    guard let sent = sent.string, ConstantTime.equal(sent, nonce) else {
      throw OAuthError(
        .untrusted, "the ID token must not be trusted: its nonce is not the one of this login")
    }
  }
}
