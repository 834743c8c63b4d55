package import HTTP
package import JOSE
import JSON
package import Primitives

/// Checks an ID token (OpenID Connect Core 1.0 section 3.1.3.7).
package struct IDTokenCheck: Sendable {
  package let server: ServerMetadata
  package let clientID: String
  /// The nonce of the authorization request; `nil` if none was sent.
  package let nonce: String?
  /// The access token that came along, for `at_hash`.
  package let accessToken: String?
  /// The code that the ID token was exchanged for, for `c_hash`.
  package let code: String?
  /// The `max_age` of the authorization request, in seconds; `nil` if none was sent.
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
    contexts = (parameters["acr_values"] ?? "").words
  }

  /// Whether an authorization request has parameters that only an ID token shows to be met.
  package static func isNeeded(for parameters: FormParameters) -> Bool {
    ["acr_values", "max_age"].contains { parameters[$0] != nil }
  }

  /// The subject of a signed ID token that passes every check; the keys are looked for after all others.
  package func subject(
    of idToken: String, at now: Timestamp, with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) -> String {
    let response = try SignedResponse(idToken, Self.noun)
    try Self.requireIDToken(response.token)
    try await response.verify(expectations(at: now), allowed: signatures, with: keys)
    guard let subject = response.token.subject, !subject.isEmpty else {
      throw .untrusted(Self.noun, "it names no subject")
    }
    guard subject.utf8.count <= 255 else {
      throw .untrusted(Self.noun, "its subject has more than 255 characters")
    }
    return subject
  }

  /// Refuses a token of another kind that the same server signs (RFC 8725 section 3.12).
  ///
  /// Many logout tokens have the type JWT, but events, as no ID token has.
  private static func requireIDToken(_ token: JWT) throws(OAuthError) {
    if let type = token.jws.mediaType,
      ["at+jwt", "logout+jwt", "secevent+jwt", "token-introspection+jwt"].contains(type)
    {
      throw .untrusted(noun, "it is of the type '\(type)'")
    }
    guard token.claims["events"] == nil else {
      throw .untrusted(noun, "it tells of events, as a logout token does")
    }
  }

  private func expectations(at now: Timestamp) -> TokenExpectations {
    var expectations = TokenExpectations(server, for: clientID, at: now)
    expectations.authorizedParty = clientID
    expectations.nonce = nonce
    expectations.accessToken = accessToken
    expectations.code = code
    // Section 3.1.3.7, items 12 and 13: the login must be as recent and as strong as requested.
    expectations.maximumAge = maximumAge
    expectations.contexts = contexts
    expectations.requiresIssuedAt = true
    expectations.followsOpenIDConnect = true
    return expectations
  }

  private static let noun = "the ID token"

  /// Requires that the ID token of a refresh is of the same issuer, user and client as that of the
  /// login (section 12.2).
  ///
  /// Its times and its signature are checked elsewhere. What cannot be read of the login's ID token
  /// is not compared.
  package static func requireSame(_ new: String, as old: String) throws(OAuthError) {
    guard let before = (try? JWT(old))?.body else { return }
    let noun = "the ID token that came with the refresh"
    let response = try SignedResponse(new, noun)
    var expectations = TokenExpectations(now: 0)
    expectations.issuer = before.issuer
    expectations.subject = before.subject
    expectations.authorizedParty = before.string("azp")
    expectations.nonce = response.token.claims["nonce"].flatMap { _ in before.string("nonce") }
    expectations.followsOpenIDConnect = true
    expectations.requiresExpiration = false
    let audiences = before.audience.isEmpty ? [[]] : before.audience.map { [$0] }
    do {
      for audience in audiences {
        expectations.audiences = audience
        try expectations.require(response.token, ignoringTimes: true)
      }
    } catch {
      throw .untrusted(noun, error.message)
    }
  }
}

/// A token that a server has signed for a client: an ID token, or a response as a token.
struct SignedResponse: Sendable {
  /// The token, not to be trusted before it is verified.
  let token: JWT
  /// What the token is, in messages.
  private let noun: String

  init(_ text: String, _ noun: String) throws(OAuthError) {
    self.noun = noun
    do {
      token = try JWT(text)
    } catch {
      throw .untrusted(noun, error.message)
    }
  }

  /// Verifies the claims, and then the signature: without the right claims no keys are requested.
  func verify(
    _ expectations: TokenExpectations, allowed: Set<JWSAlgorithm>,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) {
    do {
      try expectations.require(token)
    } catch {
      throw .untrusted(noun, error.message)
    }
    try await keys().verify(token.jws, allowed: allowed, noun: noun)
  }
}

extension OAuthError {
  /// The error for a token or response that must not be trusted.
  static func untrusted(_ noun: String, _ cause: String) -> OAuthError {
    OAuthError(.untrusted, "\(noun) must not be trusted: \(cause)")
  }
}

extension HTTPResponse {
  /// The body as the text of a token, without line breaks and spaces.
  var tokenText: String { String(decoding: body, as: UTF8.self).filter { !$0.isWhitespace } }
}
