package import HTTP
package import JOSE
import JSON
import OpenSSL
package import Primitives

/// Checks an ID token (OpenID Connect Core 1.0 section 3.1.3.7).
package struct IDTokenCheck: Sendable {
  package let server: ServerMetadata
  package let clientID: String
  /// The nonce of the authorization request; `nil` when none was sent.
  package let nonce: String?
  /// The access token that came along, for `at_hash`.
  package let accessToken: String?
  /// The code that the ID token was exchanged for, for `c_hash`.
  package let code: String?
  /// The `max_age` of the authorization request, in seconds; `nil` when none was sent.
  package let maximumAge: Int64?
  /// The `acr_values` of the authorization request, of which one must be met.
  package let contexts: [String]
  /// The algorithms of its signature; those that the server announces, unless the client
  /// registered one.
  package var signatures: Set<JWSAlgorithm>

  package init(
    server: ServerMetadata, clientID: String, nonce: String?, accessToken: String?,
    code: String? = nil, parameters: FormParameters = [:]
  ) {
    self.server = server
    signatures = server.signatureAlgorithms
    self.clientID = clientID
    self.nonce = nonce
    self.accessToken = accessToken
    self.code = code
    maximumAge = parameters["max_age"].flatMap { Int64($0) }
    contexts = (parameters["acr_values"] ?? "").split(separator: " ").map(String.init)
  }

  /// Whether the parameters of an authorization request ask for what only an ID token proves.
  package static func isNeeded(for parameters: FormParameters) -> Bool {
    ["acr_values", "max_age"].contains { parameters[$0] != nil }
  }

  /// The subject of an ID token that passes every check.
  ///
  /// - Parameters:
  ///   - idToken: the token, signed and not encrypted.
  ///   - now: the time.
  ///   - keys: finds the published keys of the server, after all other checks have passed.
  /// - Returns: the subject.
  /// - Throws: ``OAuthError`` `untrusted` with the check that failed.
  package func subject(
    of idToken: String, at now: Timestamp, with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) -> String {
    let token: JWT
    do {
      token = try JWT(idToken)
      try claims(of: token, at: now)
    } catch {
      throw untrusted(error.message)
    }
    try await keys().verify(token.jws, allowed: signatures)
    guard let subject = token.subject, !subject.isEmpty, subject.utf8.count <= 255 else {
      throw untrusted("it names no subject")
    }
    return subject
  }

  private func claims(of token: JWT, at now: Timestamp) throws(JOSEError) {
    let checks = JWTChecks(
      issuer: try server.issuer(of: token), audience: clientID, authorizedParty: clientID, now: now,
      requireIssuedAt: true)
    try checks.check(token)
    if let nonce {
      guard let sent = token.string("nonce"), ConstantTime.equal(sent, nonce) else {
        throw JOSEError(.nonceMismatch, "its nonce does not match this login")
      }
    }
    try authentication(of: token, at: now)
    try hash("at_hash", of: accessToken, in: token, "it belongs to another access token (at_hash)")
    try hash("c_hash", of: code, in: token, "it belongs to another code (c_hash)")
  }

  /// A hash that is there must be the right one (sections 3.1.3.6 and 3.3.2.11).
  private func hash(
    _ name: String, of value: String?, in token: JWT, _ cause: String
  ) throws(JOSEError) {
    guard let value, let hash = token.claims[name], let algorithm = token.jws.algorithm else {
      return
    }
    let expected = TokenHash.leftHalf(of: value, algorithm: algorithm)
    guard let hash = hash.string, ConstantTime.equal(hash, expected) else {
      throw JOSEError(.hashMismatch, cause)
    }
  }

  /// Section 3.1.3.7, items 12 and 13: a person who asked for a fresh or strong login gets one.
  private func authentication(of token: JWT, at now: Timestamp) throws(JOSEError) {
    if let maximumAge {
      guard let time = try token.time("auth_time") else {
        throw JOSEError(.authenticationMismatch, "it does not say when the user authenticated")
      }
      guard now.seconds(since: time + 60) <= maximumAge else {
        throw JOSEError(.authenticationMismatch, "the user authenticated longer ago than max_age")
      }
    }
    if !contexts.isEmpty {
      let asked = contexts.map { "'\(printable($0, limit: 100))'" }.joined(separator: " or ")
      guard let context = token.string("acr") else {
        throw JOSEError(
          .authenticationMismatch,
          "it names no authentication context (acr), although \(asked) was requested")
      }
      guard contexts.contains(identifier: context) else {
        throw JOSEError(
          .authenticationMismatch,
          "its authentication context (acr) is '\(printable(context, limit: 100))', "
            + "although \(asked) was requested")
      }
    }
  }

  private func untrusted(_ cause: String) -> OAuthError {
    OAuthError(.untrusted, "the ID token must not be trusted: \(cause)")
  }
}
