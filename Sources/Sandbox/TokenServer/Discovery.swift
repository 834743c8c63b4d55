import JSON

/// Discovery (OpenID Connect Discovery 1.0, RFC 8414): one document at both addresses.
extension Routes {
  mutating func addDiscovery() {
    let document: Handler = { exchange in .json(metadata(of: exchange.sandbox)) }
    get("/.well-known/openid-configuration", .discovery, document)
    get("/.well-known/oauth-authorization-server", .discovery, document)
    get("/jwks", .jwks) { exchange in
      let keys = exchange.sandbox.change { $0.keys.published }
      return exchange.takeFault(.keys) == nil ? .json(keys) : .json(withManyKeys(keys))
    }
  }
}

/// Keys that sign nothing: made once, when a fault wants them.
private let uselessKeys: [JSON] = (0..<5_000).compactMap { _ in
  (try? SigningKey(.es256))?.publicJWK
}

private func withManyKeys(_ keys: JSON) -> JSON {
  ["keys": .array(uselessKeys + (keys["keys"]?.array ?? []))]
}

/// The endpoints that are for clients with certificates at the other port (RFC 8705 section 5).
private func aliases(at base: String) -> JSON {
  func at(_ path: String) -> JSON { .string(base + path) }
  return [
    "token_endpoint": at("/token"), "userinfo_endpoint": at("/userinfo"),
    "pushed_authorization_request_endpoint": at("/par"),
    "device_authorization_endpoint": at("/device_authorization"),
    "introspection_endpoint": at("/introspect"), "revocation_endpoint": at("/revoke"),
    "client_validation_endpoint": at("/validate"),
  ]
}

private func metadata(of sandbox: Sandbox) -> JSON {
  func at(_ path: String) -> JSON { .string(sandbox.issuer + path) }
  let clientMethods: JSON = .strings(ClientMetadata.authMethods)
  return [
    "issuer": .string(sandbox.issuer),
    "authorization_endpoint": at("/authorize"),
    "token_endpoint": at("/token"),
    "userinfo_endpoint": at("/userinfo"),
    "jwks_uri": at("/jwks"),
    "registration_endpoint": at("/register"),
    "client_validation_endpoint": at("/validate"),
    "pushed_authorization_request_endpoint": at("/par"),
    "device_authorization_endpoint": at("/device_authorization"),
    "introspection_endpoint": at("/introspect"),
    "revocation_endpoint": at("/revoke"),
    "end_session_endpoint": at("/logout"),
    "scopes_supported": .strings(Scope.all),
    "response_types_supported": ["code"],
    "response_modes_supported": ["query", "form_post"],
    "grant_types_supported": .strings(GrantType.allCases.map(\.rawValue)),
    "acr_values_supported": .strings(AuthenticationLevel.supported),
    "prompt_values_supported": ["none", "login", "consent", "select_account", "create"],
    "mtls_endpoint_aliases": aliases(at: sandbox.mutualURL),
    "tls_client_certificate_bound_access_tokens": true,
    "subject_types_supported": ["public"],
    "id_token_signing_alg_values_supported": .strings(
      SigningKey.Algorithm.allCases.map(\.rawValue)),
    "token_endpoint_auth_methods_supported": clientMethods,
    "token_endpoint_auth_signing_alg_values_supported": .strings(
      VerificationKey.algorithms + ["HS256"]),
    "introspection_endpoint_auth_methods_supported": clientMethods,
    "revocation_endpoint_auth_methods_supported": clientMethods,
    "dpop_signing_alg_values_supported": .strings(VerificationKey.algorithms),
    "code_challenge_methods_supported": ["S256"],
    "claims_supported": [
      "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "azp",
      "sid", "name", "preferred_username", "email", "email_verified",
    ],
    "ui_locales_supported": ["en"],
    "claims_parameter_supported": false,
    "request_parameter_supported": false,
    "request_uri_parameter_supported": false,
    "require_pushed_authorization_requests": false,
    "authorization_response_iss_parameter_supported": true,
  ]
}
