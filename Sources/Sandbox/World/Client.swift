import JSON

/// A registered client: what the token server knows about one installation.
struct Client: Sendable {
  let id: String
  let issuedAt: Int
  var secret: String?
  /// The registration access token that is good now (RFC 7592); built-in clients have none.
  var registrationToken: String?
  /// The registered metadata with the server's defaults filled in (RFC 7591 section 2).
  var metadata: JSONObject

  var name: String { metadata["client_name"]?.string ?? id }
  var authMethod: String { metadata["token_endpoint_auth_method"]?.string ?? "none" }
  var isPublic: Bool { authMethod == "none" }
  var redirectURIs: [String] { metadata["redirect_uris"]?.strings ?? [] }
  var scopes: [String] { Scope.split(metadata["scope"]?.string) }
  var bindsTokens: Bool { metadata["dpop_bound_access_tokens"]?.bool ?? false }
  var bindsToCertificate: Bool {
    metadata["tls_client_certificate_bound_access_tokens"]?.bool ?? false
  }
  var accessTokenLifetime: Int? { metadata["access_token_lifetime"]?.integer }
  var accessTokenFormat: TokenFormat? {
    metadata["access_token_format"]?.string.flatMap(TokenFormat.init(rawValue:))
  }

  var idTokenAlgorithm: SigningKey.Algorithm {
    metadata["id_token_signed_response_alg"]?.string.flatMap(SigningKey.Algorithm.init) ?? .rs256
  }

  var keys: [VerificationKey] {
    (metadata["jwks"]?["keys"]?.array ?? []).compactMap(VerificationKey.init(jwk:))
  }

  func allows(_ grant: GrantType) -> Bool {
    metadata["grant_types"]?.strings?.contains(grant.rawValue) ?? false
  }

  /// The address a login may return to: the one asked for if it is registered, or the only one.
  func redirectURI(for requested: String?) -> String? {
    guard let requested else { return redirectURIs.count == 1 ? redirectURIs[0] : nil }
    let isKnown = redirectURIs.contains { Address.matches(registered: $0, requested: requested) }
    return isKnown ? requested : nil
  }

  func redirectsAfterLogout(to address: String) -> Bool {
    (metadata["post_logout_redirect_uris"]?.strings ?? [])
      .contains { Address.matches(registered: $0, requested: address) }
  }
}
