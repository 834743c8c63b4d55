import JSON

extension TokenRequest {
  /// The JWT bearer grant (RFC 7523 section 2.1): who signs for a person gets a token for them.
  ///
  /// The client may sign itself, with a key of its registration, or bring an assertion of the
  /// issuer that `start --trust` named. There is no refresh token: a new assertion is as good.
  func redeemAssertion() throws -> Response {
    guard let token = JWT(try required("assertion")) else {
      throw OAuthError.invalidGrant("the assertion is not a JWT")
    }
    let issuer = token.claims["iss"]?.string ?? ""
    guard let keys = keys(of: issuer) else {
      throw OAuthError.invalidGrant("iss of the assertion is nobody who is believed here")
    }
    guard keys.contains(where: token.isSigned) else {
      throw OAuthError.invalidGrant("the signature of the assertion is not good")
    }
    try Assertion(token: token, exchange: exchange, refusal: OAuthError.invalidGrant)
      .checkUse(by: issuer)
    let name = token.claims["sub"]?.string ?? ""
    guard let user = sandbox.change({ $0.users.named(name) ?? $0.users.subject(name) }) else {
      throw OAuthError.invalidGrant("sub of the assertion is nobody who is known here")
    }
    return try issue(for: user, amr: ["jwt"], withRefreshToken: false)
  }

  /// Opens a grant of a person who is not at the pages, and issues its tokens.
  func issue(for user: Users.User, amr: [String], withRefreshToken: Bool) throws -> Response {
    let scopes = try Scope.allowed(form["scope"], for: client, otherwise: Scope.standard)
    let grant = Grant(
      clientID: client.id, subject: user.subject, scopes: scopes, authenticatedAt: exchange.now,
      acr: AuthenticationLevel.password.rawValue, amr: amr)
    let id = try sandbox.change { world in
      let id = world.grants.open(grant)
      try bind((id, grant), in: &world)
      return id
    }
    return try Issue(request: self, grantID: id, withRefreshToken: withRefreshToken).answer()
  }

  private func keys(of issuer: String) -> [VerificationKey]? {
    if issuer == client.id { return client.keys }
    guard let trusted = sandbox.settings.trustedIssuer, trusted.name == issuer else { return nil }
    return trusted.keys
  }
}
