import HTTP
package import JSON
import Primitives

/// The management of one registration (RFC 7592).
package struct ClientManagement: Sendable {
  private let clientID: String
  private let url: HTTPURL
  private let token: String
  private let serverClient: ServerClient

  /// Takes the client information response, whose URL and token are needed.
  ///
  /// - Throws: ``OAuthError`` `unsupported` if the response has none, `malformed` or
  ///   `untrusted` if the URL is malformed or without TLS.
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
