package import HTTP
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

  /// The `max_age` of the authorization request, in seconds; `nil` when none was sent.
  package let maximumAge: Int64?
  /// The `acr_values` of the authorization request, of which one must be met.
  package let contexts: [String]

  package init(
    server: ServerMetadata, clientID: String, nonce: String?, accessToken: String?,
    parameters: FormParameters = [:]
  ) {
    self.server = server
    self.clientID = clientID
    self.nonce = nonce
    self.accessToken = accessToken
    maximumAge = parameters["max_age"].flatMap { Int64($0) }
    contexts = (parameters["acr_values"] ?? "").split(separator: " ").map(String.init)
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
    try authentication(of: token, at: now)
    if let accessToken, let hash = token.claims["at_hash"], let algorithm = token.jws.algorithm {
      let expected = TokenHash.leftHalf(of: accessToken, algorithm: algorithm)
      guard let hash = hash.string, Base64URL.matches(hash, expected) else {
        throw JOSEError(.hashMismatch, "it belongs to another access token (at_hash)")
      }
    }
  }

  /// Section 3.1.3.7, items 12 and 13: a person who asked for a fresh or strong login gets one.
  private func authentication(of token: JWT, at now: Int64) throws(JOSEError) {
    if let maximumAge {
      guard let time = try token.time("auth_time") else {
        throw JOSEError(.authenticationMismatch, "it does not tell when the user authenticated")
      }
      guard now - time <= maximumAge + 60 else {
        throw JOSEError(.authenticationMismatch, "the user authenticated longer ago than max_age")
      }
    }
    if !contexts.isEmpty {
      guard let context = token.string("acr"), contexts.contains(context) else {
        throw JOSEError(
          .authenticationMismatch, "its authentication context is none that was asked for")
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
