package import HTTP
import JOSE
package import JSON
package import Primitives

/// The kind of a token, so that the server finds it faster.
package enum TokenHint: String, Sendable {
  case access = "access_token"
  case refresh = "refresh_token"
}

extension ServerClient {
  /// Revokes one token (RFC 7009); one that the server does not know is revoked (section 2.2).
  package func revoke(
    _ token: String, hint: TokenHint?, at endpoint: HTTPURL, as client: ClientAuthentication
  ) async throws(OAuthError) {
    do {
      try await success(FormParameters(token, hint), to: endpoint, as: client)
    } catch {
      // Google reports an unknown token as an error.
      guard error.server?.error == "invalid_token" else { throw error }
    }
  }

  /// What the server says of a token (RFC 7662); `active` is always there.
  ///
  /// With `isSigned` a response that is signed for the client is requested (RFC 9701), and others are refused.
  package func introspection(
    of token: String, hint: TokenHint?, isSigned: Bool, from server: ServerMetadata,
    as client: ClientAuthentication, at now: Timestamp,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) -> JSONObject {
    let url = try server.required(.introspection)
    let accepted = isSigned ? mediaType : "application/json"
    let response = try await client.at(.introspection, of: server).sending(
      FormParameters(token, hint), to: url
    ) {
      (request) async throws(OAuthError) in
      var request = request
      request.fields.append(HTTPField(known: "Accept", accepted))
      return try await success(request)
    }
    let claims: JSONObject
    if response.mediaType == mediaType {
      claims = try await signedClaims(
        response.tokenText, from: server, for: client.clientID, at: now, with: keys)
    } else {
      guard !isSigned else { throw .untrusted(noun, "it is not signed") }
      claims = try Self.object(response)
    }
    guard claims["active"]?.bool != nil else {
      throw OAuthError(
        .malformed, "the introspection response does not say whether the token is active")
    }
    return claims
  }
}

/// RFC 9701 section 5: the type, the issuer and the audience must be right.
private func signedClaims(
  _ text: String, from server: ServerMetadata, for clientID: String, at now: Timestamp,
  with keys: () throws(OAuthError) -> KeySet
) async throws(OAuthError) -> JSONObject {
  let response = try SignedResponse(text, noun)
  var expectations = TokenExpectations(server, for: clientID, at: now)
  expectations.type = "token-introspection+jwt"
  expectations.requiresExpiration = false
  expectations.requiresIssuedAt = true
  // Never a shared secret.
  let announced = server.words("introspection_signing_alg_values_supported")
    .map { Set($0.compactMap(JWSAlgorithm.init(identifier:))).filter { !$0.isSymmetric } }
  try await response.verify(
    expectations, allowed: announced ?? server.signatureAlgorithms, with: keys)
  guard let claims = response.token.claims["token_introspection"]?.object else {
    throw .untrusted(noun, "it has no claim 'token_introspection'")
  }
  return claims
}

private let noun = "the introspection response"
private let mediaType = "application/token-introspection+jwt"

extension FormParameters {
  fileprivate init(_ token: String, _ hint: TokenHint?) {
    self = ["token": token]
    self["token_type_hint"] = hint?.rawValue
  }
}
