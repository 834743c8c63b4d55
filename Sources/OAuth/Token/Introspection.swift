package import HTTP
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
  /// With `wantsToken` a response that is signed for the client is requested, and others are refused.
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

/// Revokes tokens (RFC 7009).
package struct Revocation: Sendable {
  /// The kind of a token, so that the server finds it faster.
  package enum Hint: String, Sendable {
    case access = "access_token"
    case refresh = "refresh_token"
  }

  package let endpoint: HTTPURL
  package let client: ClientAuthentication
  package let serverClient: ServerClient

  package init(_ endpoint: HTTPURL, client: ClientAuthentication, over serverClient: ServerClient) {
    self.endpoint = endpoint
    self.client = client
    self.serverClient = serverClient
  }

  /// Revokes one token; one that the server does not know is revoked (RFC 7009 section 2.2).
  package func revoke(_ token: String, hint: Hint?) async throws(OAuthError) {
    var parameters: FormParameters = ["token": token]
    parameters["token_type_hint"] = hint?.rawValue
    do {
      try await serverClient.success(parameters, to: endpoint, as: client)
    } catch {
      // Google reports an unknown token as an error.
      guard error.server?.error == "invalid_token" else { throw error }
    }
  }
}
