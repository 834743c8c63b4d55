package import HTTP
package import JSON

/// Forms with client authentication.
extension ServerClient {
  /// Sends and expects a JSON object with status 2xx.
  package func object(
    _ parameters: FormParameters, to url: HTTPURL, as client: ClientAuthentication
  ) async throws(OAuthError) -> JSONObject {
    try await client.sending(parameters, to: url) { (request) async throws(OAuthError) in
      try await object(request)
    }
  }

  /// Sends and expects status 2xx.
  @discardableResult
  package func success(
    _ parameters: FormParameters, to url: HTTPURL, as client: ClientAuthentication
  ) async throws(OAuthError) -> HTTPResponse {
    try await client.sending(parameters, to: url) { (request) async throws(OAuthError) in
      try await success(request)
    }
  }
}
