package import HTTP
package import JOSE
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
      try expectations(at: now).require(token)
    } catch {
      throw untrusted(error.message)
    }
    try await keys().verify(token.jws, allowed: signatures)
    guard let subject = token.subject, !subject.isEmpty, subject.utf8.count <= 255 else {
      throw untrusted("it names no subject")
    }
    return subject
  }

  private func expectations(at now: Timestamp) -> TokenExpectations {
    var expectations = TokenExpectations(server, at: now)
    expectations.audiences = [clientID]
    expectations.authorizedParty = clientID
    expectations.nonce = nonce
    expectations.accessToken = accessToken
    expectations.code = code
    // Section 3.1.3.7, items 12 and 13: a person who asked for a fresh or strong login gets one.
    expectations.maximumAge = maximumAge
    expectations.contexts = contexts
    expectations.requiresIssuedAt = true
    expectations.followsOpenIDConnect = true
    return expectations
  }

  private func untrusted(_ cause: String) -> OAuthError {
    OAuthError(.untrusted, "the ID token must not be trusted: \(cause)")
  }
}
