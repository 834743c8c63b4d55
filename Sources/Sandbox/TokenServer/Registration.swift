import HTTP
import JSON

/// Dynamic client registration (RFC 7591) and its management (RFC 7592).
extension Routes {
  mutating func addRegistration() {
    post("/register", .register) { exchange in
      try checkInitialAccessToken(of: exchange)
      let metadata = try ClientMetadata.checked(try await exchange.jsonObject())
      let client = try exchange.sandbox.change { world in
        try world.clients.register(metadata, now: exchange.now)
      }
      return .json(information(about: client, at: exchange.sandbox), status: .created)
    }
    get("/register/:client", .manage) { exchange in
      let client = try exchange.sandbox.change { try managed(by: exchange, in: $0) }
      return .json(information(about: client, at: exchange.sandbox))
    }
    on(.put, "/register/:client", .manage) { exchange in
      let request = try await exchange.jsonObject()
      let updated = try exchange.sandbox.change { world in
        let client = try managed(by: exchange, in: world)
        guard request["client_id"]?.string == client.id else {
          throw OAuthError.invalidRequest("client_id must be the one of the registration")
        }
        if let secret = request["client_secret"]?.string, secret != client.secret {
          throw OAuthError.invalidRequest("client_secret must be the one of the registration")
        }
        return world.clients.update(client, metadata: try ClientMetadata.checked(request))
      }
      return .json(information(about: updated, at: exchange.sandbox))
    }
    post("/validate", .validate) { exchange in
      let form = try await exchange.form()
      let client = try await ClientAuthentication(exchange: exchange, form: form).client()
      switch exchange.takeFault(.validation) {
      case .outdatedApplication:
        throw OAuthError("unauthorized_client", "this version is blocked", number: 9004)
      case .outdatedSystem:
        throw OAuthError("unauthorized_client", "this system is too old", number: 9005)
      default: break
      }
      var members = client.metadata
      members["client_id"] = .string(client.id)
      members["client_id_issued_at"] = .int(client.issuedAt)
      members["identity_providers"] = [
        ["id": "sandbox", "name": "Users of the sandbox"],
        ["id": "corporate", "name": "Corporate login"],
      ]
      return .json(.object(members))
    }
    on(.delete, "/register/:client", .manage) { exchange in
      try exchange.sandbox.change { world in
        let client = try managed(by: exchange, in: world)
        world.grants.revokeAll(ofClient: client.id)
        world.clients.remove(client.id)
      }
      return Response(status: .noContent)
    }
  }
}

/// An open registration needs no token, but one that is sent must be good.
private func checkInitialAccessToken(of exchange: Exchange) throws {
  let token = exchange.authorization("Bearer")
  guard exchange.sandbox.settings.closedRegistration || token != nil else { return }
  guard let token, Secret.same(token, ClientRegistry.initialAccessToken) else {
    throw OAuthError.invalidToken("the initial access token is not good")
  }
}

private func managed(by exchange: Exchange, in world: World) throws(OAuthError) -> Client {
  try world.clients.managed(
    exchange.parameters.get("client") ?? "", token: exchange.authorization("Bearer"))
}

/// The client information response (RFC 7591 section 3.2.1).
private func information(about client: Client, at sandbox: Sandbox) -> JSON {
  var members = client.metadata
  members["client_id"] = .string(client.id)
  members["client_id_issued_at"] = .int(client.issuedAt)
  if let secret = client.secret {
    members["client_secret"] = .string(secret)
    members["client_secret_expires_at"] = 0
  }
  members["registration_access_token"] = client.registrationToken.map(JSON.string)
  members["registration_client_uri"] = .string("\(sandbox.issuer)/register/\(client.id)")
  return .object(members)
}
