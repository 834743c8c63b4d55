package import HTTP
package import JSON

/// Forms sent in a client's name to endpoints other than the token endpoint.
///
/// What an assertion must name as its audience there no RFC says: most servers take the
/// token endpoint, Glewlwyd and Okta only the URL that is called. So a client that is
/// refused tries the other one, once.
extension Exchange {
  /// Sends and expects a JSON object with status 2xx.
  package func object(
    _ parameters: FormParameters, to url: HTTPURL, as client: ClientAuthentication
  ) async throws(OAuthError) -> JSONObject {
    try await sending(parameters, to: url, as: client) { (request) async throws(OAuthError) in
      try await object(request)
    }
  }

  /// Sends and expects status 2xx.
  @discardableResult
  package func success(
    _ parameters: FormParameters, to url: HTTPURL, as client: ClientAuthentication
  ) async throws(OAuthError) -> HTTPResponse {
    try await sending(parameters, to: url, as: client) { (request) async throws(OAuthError) in
      try await success(request)
    }
  }

  private func sending<Value>(
    _ parameters: FormParameters, to url: HTTPURL, as client: ClientAuthentication,
    _ send: (HTTPRequest) async throws(OAuthError) -> Value
  ) async throws(OAuthError) -> Value {
    do {
      return try await send(try client.authenticate(url, parameters))
    } catch {
      guard error.refusesClient, let other = client.asserting(to: url) else { throw error }
      return try await send(try other.authenticate(url, parameters))
    }
  }
}

extension OAuthError {
  fileprivate var refusesClient: Bool {
    code == .refused && (server?.status == 401 || server?.error == "invalid_client")
  }
}
