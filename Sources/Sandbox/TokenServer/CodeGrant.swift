extension TokenRequest {
  /// The authorization code grant (RFC 6749 section 4.1.3) with PKCE.
  func redeemCode() throws -> Response {
    let code = try required("code")
    let opened = try sandbox.change { world in
      let opened = try world.grants.redeem(
        code: code, clientID: client.id, redirectURI: form["redirect_uri"],
        verifier: form["code_verifier"], now: exchange.now)
      try bind(opened, in: &world)
      return opened.id
    }
    return try Issue(request: self, grantID: opened, withRefreshToken: true).answer()
  }

  /// Ties a public client's refresh token to the key of its first proof and to its certificate.
  func bind(_ opened: (id: String, grant: Grant), in world: inout World) throws(OAuthError) {
    if let expected = opened.grant.keyThumbprint, expected != keyThumbprint {
      world.grants.revoke(grantID: opened.id)
      throw OAuthError("invalid_dpop_proof", "the proof is not by the key of the login")
    }
    guard client.isPublic else { return }
    if let keyThumbprint { world.grants.bind(grantID: opened.id, toKey: keyThumbprint) }
    if let certificateThumbprint {
      world.grants.bind(grantID: opened.id, toCertificate: certificateThumbprint)
    }
  }
}
