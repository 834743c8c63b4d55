import HTTP
package import JSON
import Primitives

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

/// The management of one registration (RFC 7592).
package struct ClientManagement: Sendable {
  private let clientID: String
  private let url: HTTPURL
  private let token: String
  private let serverClient: ServerClient

  /// Takes the client information response, whose URL and token are needed.
  package init(_ client: JSONObject, over serverClient: ServerClient) throws(OAuthError) {
    guard let clientID = client["client_id"]?.string,
      let token = client["registration_access_token"]?.string,
      let text = client["registration_client_uri"]?.string
    else { throw OAuthError(.unsupported, "the server gave no access to the registration") }
    do {
      url = try HTTPURL(text)
    } catch {
      throw OAuthError(.malformed, "the registration_client_uri is not a usable URL: \(error)")
    }
    guard url.scheme == .https || url.isLoopback else {
      throw OAuthError(.untrusted, "the registration_client_uri is an http URL")
    }
    guard isVisible(token) else {
      throw OAuthError(.malformed, "the registration_access_token is unusable")
    }
    self.clientID = clientID
    self.token = token
    self.serverClient = serverClient
  }

  /// The current registration; it may have a new token and a new secret (section 2.1).
  package func read() async throws(OAuthError) -> ClientRegistration {
    try await information(HTTPRequest(.get, url, fields: [bearer(token)]))
  }

  /// Replaces the metadata: the server may remove members that are left out (section 2.2).
  ///
  /// A null member means the same as one that is left out, but some servers refuse it.
  package func update(_ client: JSONObject) async throws(OAuthError) -> ClientRegistration {
    var document = client.filter { $0.value != .null && !Self.response.contains($0.key) }
    document["client_id"] = .string(clientID)
    let body = JSON.object(document).serialized()
    let fields: HTTPFields = [HTTPField(known: "Content-Type", "application/json"), bearer(token)]
    return try await information(
      HTTPRequest(.put, url, fields: fields, body: .bytes(Array(body.utf8))))
  }

  /// Deletes the registration, and all grants of the client (section 2.3).
  package func delete() async throws(OAuthError) {
    try await serverClient.success(HTTPRequest(.delete, url, fields: [bearer(token)]))
  }

  private func information(_ request: HTTPRequest) async throws(OAuthError) -> ClientRegistration {
    let registration = try ClientRegistration(try await serverClient.object(request))
    guard sameIdentifier(registration.clientID, clientID) else {
      throw OAuthError(.untrusted, "the registration response is for another client")
    }
    return registration
  }

  /// Members of responses only; the secret may be sent, but not every server accepts it.
  private static let response: Set<String> = [
    "registration_access_token", "registration_client_uri", "client_secret",
    "client_secret_expires_at", "client_id_issued_at",
  ]
}
