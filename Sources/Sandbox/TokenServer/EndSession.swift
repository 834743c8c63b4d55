import JSON

/// Sign-out started by a client (OpenID Connect RP-Initiated Logout 1.0).
extension Routes {
  mutating func addEndSession() {
    get("/logout", .logout) { try end($0, $0.query) }
    post("/logout", .logout) { try end($0, try await $0.form()) }
  }
}

private func end(_ exchange: Exchange, _ form: Form) throws -> Response {
  let sandbox = exchange.sandbox
  let hint = form["id_token_hint"].flatMap(JWT.init)
  let isOurs = hint.map(sandbox.made)
  guard isOurs ?? true else {
    return Pages.failure(
      "You cannot be signed out this way", "The ID token of the request is not from here.",
      status: .badRequest)
  }
  // A bare link must not sign anybody out: without the hint the person is asked.
  guard hint != nil || form["confirm"] == "yes" else { return Pages.confirmSignOut(form) }
  let cookie = exchange.cookie(Cookies.session)
  sandbox.change { world in
    if let session = hint?.claims["sid"]?.string { world.sessions.close(id: session) }
    if let cookie { world.sessions.close(cookie: cookie) }
  }
  let answer = destination(exchange, form, client: hint?.audiences.first ?? form["client_id"])
  return answer.with(.setCookie, Cookies.expired(Cookies.session))
}

extension Sandbox {
  /// Whether a token comes from here, however old it is.
  func made(_ token: JWT) -> Bool {
    change { $0.keys.verifies(token) } && token.claims["iss"]?.string == issuer
  }
}

private func destination(_ exchange: Exchange, _ form: Form, client id: String?) -> Response {
  guard let address = form["post_logout_redirect_uri"] else { return Pages.signedOut() }
  let client = exchange.sandbox.change { $0.clients[id ?? ""] }
  guard let client, client.redirectsAfterLogout(to: address) else { return Pages.signedOut() }
  var state = Form()
  state.append("state", form["state"])
  return .seeOther(state.appended(to: address))
}
