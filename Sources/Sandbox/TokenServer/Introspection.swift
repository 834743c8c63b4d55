import JSON

/// Introspection (RFC 7662) at the standard address and at the vendor's.
extension Routes {
  mutating func addIntrospection() {
    let handler: Handler = { exchange in
      let form = try await exchange.form()
      let client = try await ClientAuthentication(exchange: exchange, form: form).client()
      guard !client.isPublic else {
        throw OAuthError.invalidClient("introspection is for clients with credentials")
      }
      guard let token = form["token"] else { throw OAuthError.invalidRequest("token is missing") }
      return .json(exchange.sandbox.introspect(token))
    }
    post("/introspect", .introspect, handler)
    post("/api/v1/token/introspect", .introspect, handler)
    post("/revoke", .revoke) { exchange in
      let form = try await exchange.form()
      let client = try await ClientAuthentication(exchange: exchange, form: form).client()
      guard let token = form["token"] else { throw OAuthError.invalidRequest("token is missing") }
      exchange.sandbox.change { $0.grants.revoke(token: token, clientID: client.id) }
      return Response(status: .ok, headers: [.cacheControl: "no-store"])
    }
  }
}

extension Sandbox {
  /// What the token server says about a token: also how the gateway asks.
  func introspect(_ text: String) -> JSON {
    let now = clock()
    return change { world in
      if let token = world.grants.active(accessToken: text, now: now) {
        return Self.description(of: token, in: world, issuer: issuer, audience: resourceURL)
      }
      if let (_, grant) = world.grants.active(refreshToken: text) {
        return [
          "active": true, "scope": .string(Scope.join(grant.scopes)),
          "client_id": .string(grant.clientID), "iss": .string(issuer),
          "sub": .string(grant.subject ?? grant.clientID), "token_type": "refresh_token",
        ]
      }
      return ["active": false]
    }
  }

  private static func description(
    of token: AccessToken, in world: World, issuer: String, audience: String
  ) -> JSON {
    let client = world.clients[token.clientID]
    var members: JSONObject = [
      "active": true, "scope": .string(Scope.join(token.scopes)),
      "client_id": .string(token.clientID), "iss": .string(issuer), "aud": .string(audience),
      "token_type": token.keyThumbprint == nil ? "Bearer" : "DPoP",
      "iat": .int(token.issuedAt), "nbf": .int(token.issuedAt), "exp": .int(token.expiresAt),
      "sub": .string(token.subject ?? token.clientID),
      "amr": [token.isImplicit ? "IMPLICIT_AUTHENTICATION" : "DEFAULT"],
      "app_identifier": client?.metadata["software_id"] ?? .string(client?.name ?? token.clientID),
      "app_version": client?.metadata["software_version"] ?? "1",
      "app_platform": client?.metadata["app_platform"] ?? "linux",
    ]
    members["username"] = token.subject.flatMap(world.users.subject).map { .string($0.name) }
    members["cnf"] = token.confirmation
    if let grant = world.grants.grant(token.grantID) {
      members["acr"] = grant.acr.map(JSON.string)
      members["auth_time"] = grant.authenticatedAt.map(JSON.int)
    }
    return .object(members)
  }
}
