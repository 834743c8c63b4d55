extension TokenRequest {
  /// The refresh grant (RFC 6749 section 6): every refresh token works once.
  func refresh() throws -> Response {
    let token = try required("refresh_token")
    let narrows = form["scope"] != nil && exchange.takeFault(.narrowing) != nil
    // The check of the past and the rotation must be one step, or two requests both pass.
    let (grantID, scopes, next) = try sandbox.change { world in
      let (id, grant) = try world.grants.check(refreshToken: token, clientID: client.id)
      guard grant.keyThumbprint == nil || grant.keyThumbprint == keyThumbprint else {
        throw OAuthError("invalid_dpop_proof", "the refresh token is bound to another key")
      }
      guard
        grant.certificateThumbprint == nil
          || grant.certificateThumbprint == certificateThumbprint
      else { throw OAuthError.invalidGrant("the refresh token is bound to another certificate") }
      guard sandbox.settings.flavour == .standard || grant.uses < Grant.usageLimit else {
        world.grants.revoke(grantID: id)
        throw OAuthError.invalidGrant("the refresh token was used as often as it may be")
      }
      let scopes = try Scope.narrowed(form["scope"], from: grant.scopes)
      let next = world.grants.rotate(
        refreshToken: token, grantID: id, narrowedTo: narrows ? scopes : nil)
      return (id, scopes, next)
    }
    if exchange.takeFault(.rotation) != nil { return Fault.silence() }
    return try Issue(
      request: self, grantID: grantID, scopes: scopes, refreshToken: next
    ).answer()
  }
}
