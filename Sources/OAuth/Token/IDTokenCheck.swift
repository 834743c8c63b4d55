import HTTP
import JOSE
import JSON

/// Checks an ID token (OpenID Connect Core 1.0 section 3.1.3.7).
package struct IDTokenCheck: Sendable {
  package let server: ServerMetadata
  package let clientID: String
  /// The nonce of the authorization request; `nil` when none was sent.
  package let nonce: String?
  /// The access token that came along, for `at_hash`.
  package let accessToken: String?

  package init(server: ServerMetadata, clientID: String, nonce: String?, accessToken: String?) {
    self.server = server
    self.clientID = clientID
    self.nonce = nonce
    self.accessToken = accessToken
  }

  /// The subject of an ID token that passes every check.
  ///
  /// - Throws: ``OAuthError`` `untrusted` with the check that failed.
  package func subject(
    of idToken: String, at now: Int64, over exchange: Exchange
  ) async throws(OAuthError) -> String {
    let token: JWT
    do {
      token = try JWT(idToken)
      try claims(of: token, at: now)
    } catch {
      throw untrusted(error.message)
    }
    try await verifySignature(of: token, over: exchange)
    guard let subject = token.subject, !subject.isEmpty, subject.utf8.count <= 255 else {
      throw untrusted("it names no subject")
    }
    return subject
  }

  private func claims(of token: JWT, at now: Int64) throws(JOSEError) {
    let checks = JWTChecks(
      issuer: server.issuer.text, audience: clientID, authorizedParty: clientID, now: now,
      requireIssuedAt: true)
    try checks.check(token)
    if let nonce {
      guard let sent = token.string("nonce"), Base64URL.matches(sent, nonce) else {
        throw JOSEError(.nonceMismatch, "its nonce is not the one of this login")
      }
    }
    if let accessToken, let hash = token.claims["at_hash"], let algorithm = token.jws.algorithm {
      let expected = TokenHash.leftHalf(of: accessToken, algorithm: algorithm)
      guard let hash = hash.string, Base64URL.matches(hash, expected) else {
        throw JOSEError(.hashMismatch, "it belongs to another access token (at_hash)")
      }
    }
  }

  private func verifySignature(
    of token: JWT, over exchange: Exchange
  ) async throws(OAuthError) {
    let keys = KeySet(url: try server.required(.keys), exchange: exchange)
    try await keys.verify(token.jws, allowed: allowed)
  }

  /// What the server says it signs with; never a shared secret, never nothing.
  private var allowed: Set<JWSAlgorithm> {
    let announced = server.words("id_token_signing_alg_values_supported") ?? ["RS256"]
    return Set(announced.compactMap(JWSAlgorithm.init(rawValue:))).filter { !$0.isSymmetric }
  }

  private func untrusted(_ cause: String) -> OAuthError {
    OAuthError(.untrusted, "the ID token must not be trusted: \(cause)")
  }
}
