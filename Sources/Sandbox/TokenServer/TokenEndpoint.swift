/// The token endpoint (RFC 6749 section 3.2): who asks, with which grant, for what.
extension Routes {
  mutating func addTokenEndpoint() {
    post("/token", .token) { exchange in
      let form = try await exchange.form()
      let client = try await ClientAuthentication(exchange: exchange, form: form).client()
      guard let name = form["grant_type"] else {
        throw OAuthError.invalidRequest("grant_type is missing")
      }
      guard let grant = GrantType(rawValue: name) else {
        throw OAuthError("unsupported_grant_type", "this grant is not supported")
      }
      exchange.sandbox.change { $0.counters.count(grant: shortName(of: grant)) }
      guard client.allows(grant) else {
        throw OAuthError("unauthorized_client", "the client did not register this grant")
      }
      let request = try TokenRequest(exchange: exchange, form: form, client: client)
      let answer = try answer(to: request, grant)
      return request.keyThumbprint == nil
        ? answer : answer.with(.dpopNonce, ProofOfPossession(exchange: exchange).nonce)
    }
  }
}

/// A token request of a client that is known, with the key its tokens shall be bound to.
struct TokenRequest {
  let exchange: Exchange
  let form: Form
  let client: Client
  let keyThumbprint: String?
  let certificateThumbprint: String?

  init(exchange: Exchange, form: Form, client: Client) throws(OAuthError) {
    self.exchange = exchange
    self.form = form
    self.client = client
    keyThumbprint = try ProofOfPossession(exchange: exchange).thumbprint()
    guard keyThumbprint != nil || !client.bindsTokens else {
      throw OAuthError("invalid_dpop_proof", "the client registered for tokens bound by DPoP")
    }
    certificateThumbprint =
      client.bindsToCertificate ? exchange.connection.certificate?.thumbprint : nil
    guard certificateThumbprint != nil || !client.bindsToCertificate else {
      throw .invalidRequest("the client registered for tokens bound to its certificate; show it")
    }
  }

  var sandbox: Sandbox { exchange.sandbox }

  func required(_ name: String) throws(OAuthError) -> String {
    guard let value = form[name] else { throw .invalidRequest("\(name) is missing") }
    return value
  }
}

private func answer(to request: TokenRequest, _ grant: GrantType) throws -> Response {
  switch grant {
  case .authorizationCode: try request.redeemCode()
  case .refreshToken: try request.refresh()
  case .clientCredentials: try request.actAsClient()
  case .deviceCode: try request.pollDevice()
  case .jwtBearer: try request.redeemAssertion()
  case .password: try request.redeemPassword()
  case .tokenExchange: try request.exchangeToken()
  }
}

/// Grants in the counters go by the last part of their name.
private func shortName(of grant: GrantType) -> String {
  grant.rawValue.split(separator: ":").last.map(String.init) ?? grant.rawValue
}
