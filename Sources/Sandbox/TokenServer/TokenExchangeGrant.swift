import JSON

extension TokenRequest {
  /// Token exchange (RFC 8693): an access token for one of less scope.
  ///
  /// What comes out counts as the vendor's implicit token: it was had without the person.
  func exchangeToken() throws -> Response {
    let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    let subjectToken = try required("subject_token")
    guard try required("subject_token_type") == accessTokenType else {
      throw OAuthError.invalidRequest("only access tokens can be exchanged")
    }
    guard form["requested_token_type"] ?? accessTokenType == accessTokenType else {
      throw OAuthError.invalidRequest("only access tokens can be had")
    }
    guard form["actor_token"] == nil else {
      throw OAuthError.invalidRequest("actor tokens are not supported")
    }
    let known = sandbox.change { $0.grants.active(accessToken: subjectToken, now: exchange.now) }
    guard let known, known.clientID == client.id else {
      throw OAuthError.invalidRequest("the subject token is not good")
    }
    guard known.keyThumbprint == nil || known.keyThumbprint == keyThumbprint else {
      throw OAuthError("invalid_dpop_proof", "the subject token is bound to another key")
    }
    guard
      known.certificateThumbprint == nil
        || known.certificateThumbprint == certificateThumbprint
    else { throw OAuthError.invalidRequest("the subject token is bound to another certificate") }
    let scopes = try Scope.narrowed(form["scope"], from: known.scopes)
    let isOffline = scopes.contains("offline_access")
    let grantID = isOffline ? offlineGrant(from: known.grantID, scopes) : known.grantID
    return try Issue(
      request: self, grantID: grantID, scopes: scopes, withRefreshToken: isOffline,
      isImplicit: true,
      members: ["issued_token_type": .string(accessTokenType)]
    ).answer()
  }

  /// A grant beside the user's, for a client that works while the user is away.
  private func offlineGrant(from id: String, _ scopes: [String]) -> String {
    sandbox.change { world in
      guard var grant = world.grants.grant(id) else { return id }
      grant.scopes = scopes
      (grant.nonce, grant.fault, grant.isImplicit) = (nil, nil, true)
      return world.grants.open(grant)
    }
  }
}
