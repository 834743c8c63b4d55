package import HTTP

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
