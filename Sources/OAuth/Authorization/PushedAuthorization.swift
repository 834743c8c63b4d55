package import HTTP
import JSON

/// Authorization requests that go to the server directly, not through the browser (RFC 9126).
package enum PushedAuthorization {
  /// Pushes the query of a request, and returns the URL that a browser opens instead.
  ///
  /// - Throws: ``OAuthError``; `malformed` when the response has no `request_uri`.
  package static func push(
    _ query: FormParameters, of request: AuthorizationRequest, to endpoint: HTTPURL,
    client: ClientAuthentication, over serverClient: ServerClient
  ) async throws(OAuthError) -> HTTPURL {
    let document = try await serverClient.object(query, to: endpoint, as: client)
    guard let uri = document["request_uri"]?.string, !uri.isEmpty else {
      throw OAuthError(.malformed, "the response to the pushed request has no request_uri")
    }
    return request.endpoint.adding(["client_id": request.clientID, "request_uri": uri])
  }
}
