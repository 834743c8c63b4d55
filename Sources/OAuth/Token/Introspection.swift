import HTTP
import JOSE
package import JSON
package import Primitives

/// Token introspection (RFC 7662), with a response in JSON or as a signed token (RFC 9701).
package struct Introspection: Sendable {
  package let server: ServerMetadata
  package let client: ClientAuthentication
  package let serverClient: ServerClient

  package init(
    _ server: ServerMetadata, client: ClientAuthentication, over serverClient: ServerClient
  ) {
    self.server = server
    self.client = client.at(.introspection, of: server)
    self.serverClient = serverClient
  }

  /// What the server says of a token; `active` is always there.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - hint: what it is, for the server to find it faster; `nil` if that is not known.
  ///   - clientID: the audience of a signed response.
  ///   - wantsToken: whether a signed response is requested; others are then refused.
  ///   - now: the time.
  ///   - keys: finds the published keys of the server, for a signed response.
  /// - Returns: the members of the response.
  /// - Throws: ``OAuthError``; `untrusted` for a signed response that does not verify.
  package func introspect(
    _ token: String, hint: Revocation.Hint?, for clientID: String, asToken wantsToken: Bool,
    at now: Timestamp, with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) -> JSONObject {
    var parameters: FormParameters = ["token": token]
    parameters["token_type_hint"] = hint?.rawValue
    let url = try server.required(.introspection)
    let accepted = wantsToken ? Self.mediaType : "application/json"
    let sent = parameters
    let response = try await client.sending(sent, to: url) {
      (request) async throws(OAuthError) in
      var request = request
      request.fields.append(HTTPField(known: "Accept", accepted))
      return try await serverClient.success(request)
    }
    let claims: JSONObject
    if response.mediaType == Self.mediaType {
      claims = try await self.claims(
        inToken: response.tokenText, for: clientID, at: now, with: keys)
    } else {
      guard !wantsToken else { throw .untrusted(Self.noun, "it is not signed") }
      claims = try ServerClient.object(response)
    }
    guard claims["active"]?.bool != nil else {
      throw OAuthError(
        .malformed, "the introspection response does not say whether the token is active")
    }
    return claims
  }

  /// RFC 9701 section 5: the type, the issuer and the audience must be right.
  private func claims(
    inToken text: String, for clientID: String, at now: Timestamp,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) -> JSONObject {
    let response = try SignedResponse(text, Self.noun)
    var expectations = TokenExpectations(server, for: clientID, at: now)
    expectations.type = "token-introspection+jwt"
    expectations.requiresExpiration = false
    expectations.requiresIssuedAt = true
    try await response.verify(expectations, allowed: algorithms, with: keys)
    guard let claims = response.token.claims["token_introspection"]?.object else {
      throw .untrusted(Self.noun, "it has no claim 'token_introspection'")
    }
    return claims
  }

  /// What the server announces; never a shared secret.
  private var algorithms: Set<JWSAlgorithm> {
    guard let announced = server.words("introspection_signing_alg_values_supported") else {
      return server.signatureAlgorithms
    }
    return Set(announced.compactMap(JWSAlgorithm.init(identifier:))).filter { !$0.isSymmetric }
  }

  private static let noun = "the introspection response"
  private static let mediaType = "application/token-introspection+jwt"
}
