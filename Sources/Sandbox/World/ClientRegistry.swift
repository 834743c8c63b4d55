import JSON

/// The registered clients (RFC 7591, RFC 7592), and the gateway's own.
struct ClientRegistry: Sendable {
  private var byID: [String: Client] = [:]

  /// The token that a closed registration wants; an open one accepts it too.
  static let initialAccessToken = "sandbox-initial-access-token"

  /// The client under which the resource gateway introspects tokens.
  static let gatewayID = "sandbox-gateway"

  init() {
    byID[Self.gatewayID] = Client(
      id: Self.gatewayID, issuedAt: 0, secret: Secret.make(), registrationToken: nil,
      metadata: [
        "client_name": "Sandbox resource gateway", "grant_types": [], "redirect_uris": [],
        "token_endpoint_auth_method": "client_secret_basic",
      ])
  }

  var count: Int { byID.count - 1 }

  subscript(id: String) -> Client? { byID[id] }

  mutating func register(_ metadata: JSONObject, now: Int) throws(OAuthError) -> Client {
    guard byID.count < 10_000 else {
      throw OAuthError("temporarily_unavailable", "the sandbox is full; reset it", status: 503)
    }
    var client = Client(
      id: Secret.name("client-"), issuedAt: now, secret: nil, registrationToken: Secret.make(),
      metadata: metadata)
    client.secret = Self.secret(for: client)
    byID[client.id] = client
    return client
  }

  /// The client whose registration access token this is.
  func managed(_ id: String, token: String?) throws(OAuthError) -> Client {
    guard let client = byID[id], let expected = client.registrationToken, let token,
      Secret.same(expected, token)
    else { throw .invalidToken("the registration access token is not good for this client") }
    return client
  }

  /// Replaces the metadata, and the registration access token with it (RFC 7592 section 2.2).
  mutating func update(_ client: Client, metadata: JSONObject) -> Client {
    var updated = client
    let formerMethod = client.authMethod
    updated.metadata = metadata
    updated.registrationToken = Secret.make()
    if updated.authMethod != formerMethod { updated.secret = Self.secret(for: updated) }
    byID[client.id] = updated
    return updated
  }

  mutating func remove(_ id: String) { byID[id] = nil }

  private static func secret(for client: Client) -> String? {
    client.authMethod.hasPrefix("client_secret_") ? Secret.make() : nil
  }
}
