/// What goes back to the client at the end of a login (RFC 6749 section 4.1.2, RFC 9207).
struct AuthorizationResponse {
  let redirectURI: String
  let responseMode: String
  let state: String?
  let exchange: Exchange
  /// A fault that the request of this login asked for.
  var fault: Fault?

  func code(_ code: String) -> Response { send(["code": code]) }

  func error(_ error: OAuthError) -> Response {
    send(["error": error.code, "error_description": error.message])
  }

  private func send(_ outcome: KeyValuePairs<String, String>) -> Response {
    let struck = fault?.place == .authorizationResponse ? fault : nil
    let fault = struck ?? exchange.takeFault(.authorizationResponse)
    var form = Form(outcome)
    form.append("state", fault == .stateAltered ? Secret.make() : state)
    form.append(
      "iss", fault == .issuerAltered ? "https://elsewhere.example" : exchange.sandbox.issuer)
    guard responseMode == "form_post" else {
      return .seeOther(form.appended(to: redirectURI))
    }
    return Pages.formPost(form, to: redirectURI)
  }
}
