import JSON

/// The userinfo endpoint (OpenID Connect Core section 5.3).
extension Routes {
  mutating func addUserInfo() {
    let handler: Handler = { exchange in
      let token = try BearerToken(exchange: exchange).checked()
      guard token.scopes.contains("openid"), let subject = token.subject,
        let user = exchange.sandbox.change({ $0.users.subject(subject) })
      else {
        throw OAuthError(
          "insufficient_scope", "userinfo needs the scope openid", status: 403,
          challenge: "Bearer error=\"insufficient_scope\", scope=\"openid\"")
      }
      var claims = user.claims(for: token.scopes)
      let isWrong = exchange.takeFault(.userInfo) != nil
      claims["sub"] = .string(isWrong ? Secret.name("user-") : subject)
      return .json(.object(claims))
    }
    get("/userinfo", .userinfo, handler)
    post("/userinfo", .userinfo, handler)
  }
}

/// The access token of a request for something protected.
struct BearerToken {
  let exchange: Exchange

  /// The token if it is good, sent under the scheme it was made for and with its proof.
  func checked() throws(OAuthError) -> AccessToken {
    if let text = exchange.authorization("DPoP") {
      guard let made = try ProofOfPossession(exchange: exchange).thumbprint(accessToken: text)
      else {
        throw OAuthError(
          "invalid_dpop_proof", "the proof is missing", status: 401,
          challenge: "DPoP error=\"invalid_dpop_proof\"")
      }
      let token = try active(text, scheme: "DPoP")
      guard token.keyThumbprint == made else {
        throw .invalidToken("the token is bound to another key", scheme: "DPoP")
      }
      return token
    }
    guard let text = exchange.authorization("Bearer") else {
      throw OAuthError(
        "invalid_request", "there is no access token", status: 401,
        challenge: "Bearer realm=\"sandbox token server\"")
    }
    let token = try active(text, scheme: "Bearer")
    guard token.keyThumbprint == nil else {
      throw .invalidToken("the token is bound: it needs DPoP")
    }
    return token
  }

  private func active(_ text: String, scheme: String) throws(OAuthError) -> AccessToken {
    let now = exchange.now
    guard let token = exchange.sandbox.change({ $0.grants.active(accessToken: text, now: now) })
    else { throw .invalidToken("the token is unknown, expired or revoked", scheme: scheme) }
    guard
      token.certificateThumbprint == nil
        || token.certificateThumbprint == exchange.connection.certificate?.thumbprint
    else { throw .invalidToken("the token is bound to another certificate", scheme: scheme) }
    return token
  }
}
