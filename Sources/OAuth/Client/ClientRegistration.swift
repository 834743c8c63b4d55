package import HTTP
package import JSON

/// What a server answered to a registration (RFC 7591 section 3.2.1).
package struct ClientRegistration: Sendable, Hashable {
  /// The whole answer: client id, secret, registration access token, metadata.
  package let document: [String: JSON]
  package let clientID: String

  package init(_ document: [String: JSON]) throws(OAuthError) {
    guard let clientID = document["client_id"]?.string, !clientID.isEmpty else {
      throw OAuthError(.malformed, "the registration answer has no client_id")
    }
    self.document = document
    self.clientID = clientID
  }

  /// Registers a client.
  ///
  /// - Parameters:
  ///   - endpoint: the registration endpoint.
  ///   - metadata: what the client says of itself.
  ///   - initialAccessToken: the bearer token that some servers ask for.
  /// - Throws: ``OAuthError``.
  package static func register(
    at endpoint: HTTPURL, _ metadata: ClientMetadata, initialAccessToken: String?,
    over exchange: Exchange
  ) async throws(OAuthError) -> ClientRegistration {
    var fields: HTTPFields = [HTTPField(known: "Content-Type", "application/json")]
    if let initialAccessToken { fields.append(bearer(initialAccessToken)) }
    let body = JSON.object(metadata.json).serialized()
    let request = HTTPRequest(.post, endpoint, fields: fields, body: .bytes(Array(body.utf8)))
    return try ClientRegistration(try await exchange.object(request))
  }
}

func bearer(_ token: String) -> HTTPField { HTTPField(known: "Authorization", "Bearer \(token)") }
