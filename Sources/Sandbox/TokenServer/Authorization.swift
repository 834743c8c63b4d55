import JSON

/// The authorization endpoint (RFC 6749 section 3.1) and pushed requests (RFC 9126).
extension Routes {
  mutating func addAuthorization() {
    get("/authorize", .authorize) { try begin($0, form: $0.query) }
    post("/authorize", .authorize) { try begin($0, form: try await $0.form()) }
    post("/par", .par) { exchange in
      var form = try await exchange.form()
      let client = try await ClientAuthentication(exchange: exchange, form: form).client()
      guard form["request_uri"] == nil else {
        throw OAuthError.invalidRequest("request_uri cannot be pushed")
      }
      do { _ = try exchange.authorizationRequest(form, of: client) } catch let refusal
        as AuthorizationRequest.Refusal
      { throw refusal.error }
      try bindPushed(&form, of: exchange)
      let pushed = form
      let uri = exchange.sandbox.change { world in
        world.pushed.push(pushed, clientID: client.id, now: exchange.now)
      }
      return .json(
        ["request_uri": .string(uri), "expires_in": .int(PushedRequests.lifetime)],
        status: .created)
    }
  }
}

extension Exchange {
  fileprivate func authorizationRequest(
    _ form: Form, of client: Client
  ) throws -> AuthorizationRequest {
    try AuthorizationRequest(
      form, of: client, isOurs: sandbox.made, grantsDefault: { takeFault(.missingScope) != nil })
  }
}

/// A proof sent with a pushed request binds the code to its key (RFC 9449 section 10.1).
private func bindPushed(_ form: inout Form, of exchange: Exchange) throws {
  guard let thumbprint = try ProofOfPossession(exchange: exchange).thumbprint() else { return }
  guard form["dpop_jkt"] ?? thumbprint == thumbprint else {
    throw OAuthError("invalid_dpop_proof", "dpop_jkt is not the key of the proof")
  }
  if form["dpop_jkt"] == nil { form.append("dpop_jkt", thumbprint) }
}

/// Checks a request and starts the person's part, or answers at once where that is possible.
private func begin(_ exchange: Exchange, form: Form) throws -> Response {
  let sandbox = exchange.sandbox
  do {
    guard let client = sandbox.change({ $0.clients[form["client_id"] ?? ""] }) else {
      throw OAuthError.invalidRequest("client_id is missing or not registered")
    }
    var request = try exchange.authorizationRequest(
      try resolved(form, of: client, exchange), of: client)
    if request.loginHint == nil, let subject = request.hintedSubject {
      request.loginHint = sandbox.change { $0.users.subject(subject)?.name }
    }
    return SignInSteps(exchange: exchange).begin(.login(request))
  } catch let refusal as AuthorizationRequest.Refusal {
    return AuthorizationResponse(
      redirectURI: refusal.redirectURI, responseMode: refusal.responseMode, state: refusal.state,
      exchange: exchange, fault: exchange.fault
    ).error(refusal.error)
  } catch let error as OAuthError {
    return Pages.failure(
      "This sign-in link is not valid", "\(error.message).", status: .badRequest)
  }
}

/// The pushed request that `request_uri` names, or the request itself.
private func resolved(
  _ form: Form, of client: Client, _ exchange: Exchange
)
  throws(OAuthError) -> Form
{
  guard let uri = form["request_uri"] else { return form }
  let pushed = exchange.sandbox.change { world in
    world.pushed.take(uri, clientID: client.id, now: exchange.now)
  }
  guard let pushed else {
    throw .invalidRequest("request_uri is unknown, used or expired")
  }
  return pushed
}
