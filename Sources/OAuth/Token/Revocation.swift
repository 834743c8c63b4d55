package import HTTP

/// Revokes tokens (RFC 7009).
package struct Revocation: Sendable {
  /// What a token is, for the server to find it faster.
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

  /// Revokes one token; that the server did not know it counts as success there.
  package func revoke(_ token: String, hint: Hint?) async throws(OAuthError) {
    var parameters: FormParameters = ["token": token]
    parameters["token_type_hint"] = hint?.rawValue
    try await serverClient.success(parameters, to: endpoint, as: client)
  }
}
