import HTTP
package import JSON

/// The response to a registration (RFC 7591 section 3.2.1).
package struct ClientRegistration: Sendable, Hashable {
  /// The whole response: client id, secret, registration access token, metadata.
  package let document: JSONObject
  package let clientID: String

  package init(_ document: JSONObject) throws(OAuthError) {
    guard let clientID = document["client_id"]?.string, !clientID.isEmpty else {
      throw OAuthError(.malformed, "the registration response has no client_id")
    }
    self.document = Self.repaired(document)
    self.clientID = clientID
  }

  /// Glewlwyd returns a list with the registered method, which it does not accept later.
  private static func repaired(_ document: JSONObject) -> JSONObject {
    let name = "token_endpoint_auth_method"
    var document = document
    guard let method = document[name], method.string == nil else { return document }
    let methods = method.strings ?? []
    document[name] = methods.count == 1 ? methods.first.map { .string($0) } : nil
    return document
  }

  /// A registration that succeeded.
  package struct Result: Sendable, Hashable {
    package let response: ClientRegistration
    /// The variant of the client that the server accepted.
    package let sent: ClientMetadata
    /// The grants that were requested first and that the server did not register.
    package let refusedGrants: [String]
  }

  /// Registers a client, with or without the bearer token that some servers ask for.
  ///
  /// If the server refuses the metadata, the next variant of the client is tried.
  package static func register(
    _ client: ClientMetadata, at server: ServerMetadata, initialAccessToken: String?,
    over serverClient: ServerClient
  ) async throws(OAuthError) -> Result {
    let endpoint = try server.required(.registration)
    var variants = client.variants(at: server)[...]
    let first = variants.popFirst() ?? client
    var sent = first
    while true {
      do {
        let response = try await send(sent, endpoint, initialAccessToken, serverClient)
        let registered = response.document["grant_types"]?.strings ?? sent.grantTypes
        return Result(
          response: response, sent: sent, refusedGrants: first.grants(missingIn: registered))
      } catch {
        guard error.refusesMetadata, let next = variants.popFirst() else { throw error }
        sent = next
      }
    }
  }

  private static func send(
    _ client: ClientMetadata, _ endpoint: HTTPURL, _ token: String?, _ serverClient: ServerClient
  ) async throws(OAuthError) -> ClientRegistration {
    var fields: HTTPFields = [HTTPField(known: "Content-Type", "application/json")]
    if let token { fields.append(bearer(token)) }
    let body = JSON.object(client.json).serialized()
    let request = HTTPRequest(.post, endpoint, fields: fields, body: .bytes(Array(body.utf8)))
    return try ClientRegistration(try await serverClient.object(request))
  }
}

func bearer(_ token: String) -> HTTPField { HTTPField(known: "Authorization", "Bearer \(token)") }

extension OAuthError {
  /// Whether a server refused the metadata of a client, by any of the codes in use.
  fileprivate var refusesMetadata: Bool {
    guard code == .refused, let server else { return false }
    return [
      "invalid_client_metadata", "unsupported_grant_type", "invalid_scope", "insufficient_scope",
    ].contains(server.error)
  }
}
