import JSON

/// The checks of RFC 7523 section 3 that the assertions of clients and of grants share.
struct Assertion {
  let token: JWT
  let exchange: Exchange
  /// Which refusal a defect is.
  let refusal: (String) -> OAuthError

  /// Audience, time and single use; the signature is the caller's business.
  func checkUse(by owner: String) throws(OAuthError) {
    let sandbox = exchange.sandbox
    let audiences = [sandbox.issuer, sandbox.issuer + "/token", exchange.targetURI]
    guard token.audiences.contains(where: audiences.contains) else {
      throw refusal("aud of the assertion is not this server")
    }
    let now = exchange.now
    guard let expiry = token.claims["exp"]?.integer, expiry > now, expiry < now + 3600 else {
      throw refusal("the assertion has expired or lives too long")
    }
    guard token.claims["nbf"]?.int.map({ $0 <= now + 60 }) ?? true else {
      throw refusal("the assertion is not valid yet")
    }
    guard let identifier = token.claims["jti"]?.string, identifier.utf8.count <= 256,
      sandbox.change({ world in
        world.proofs.isFirst("assertion \(owner) \(identifier)", until: expiry, now: now)
      })
    else { throw refusal("jti of the assertion is missing or was used before") }
  }
}
