import HTTP
import JSON

/// DPoP (RFC 9449): a proof, signed by the key that a token is bound to.
struct ProofOfPossession {
  let exchange: Exchange

  /// The thumbprint of the key that made the proof of this request, or nothing without a proof.
  ///
  /// At a resource the proof must name the access token.
  func thumbprint(accessToken: String? = nil) throws(OAuthError) -> String? {
    let proofs = exchange.request.headers.values(of: .dpop)
    guard let text = proofs.first else { return nil }
    guard proofs.count == 1, let proof = JWT(text) else {
      throw refused("the DPoP field is not one JWT")
    }
    guard proof.header["typ"]?.string == "dpop+jwt",
      let key = proof.header["jwk"].flatMap(VerificationKey.init(jwk:)), proof.isSigned(by: key)
    else { throw refused("the signature of the proof is not good") }
    let claims = proof.claims
    guard claims["htm"]?.string == exchange.request.method.name else {
      throw refused("htm is not the method of the request")
    }
    guard let target = claims["htu"]?.string, isThisRequest(target) else {
      throw refused("htu is not the address of the request")
    }
    guard let made = claims["iat"]?.integer,
      (exchange.now - 300...exchange.now + 300).contains(made)
    else {
      throw refused("iat is too far from now")
    }
    if let accessToken {
      guard claims["ath"]?.string == Base64URL.encode(Secret.sha256(accessToken)) else {
        throw refused("ath is not the hash of the access token")
      }
    }
    try checkFreshness(of: claims, by: key, made: made)
    return key.thumbprint
  }

  /// The nonce that the next proof shall carry.
  var nonce: String {
    let now = exchange.now
    return exchange.sandbox.change { $0.proofs.currentNonce(now: now) }
  }

  private func checkFreshness(
    of claims: JSON, by key: VerificationKey, made: Int
  )
    throws(OAuthError)
  {
    let now = exchange.now
    let sandbox = exchange.sandbox
    let sent = claims["nonce"]?.string
    guard let sent, sandbox.change({ $0.proofs.accepts(nonce: sent, now: now) }) else {
      throw refused("a proof needs the nonce of this server", code: "use_dpop_nonce")
    }
    guard let identifier = claims["jti"]?.string, identifier.utf8.count <= 256,
      sandbox.change({ world in
        world.proofs.isFirst(
          "proof \(key.thumbprint) \(identifier)", until: made + 600, now: now)
      })
    else { throw refused("jti is missing or was used before") }
  }

  private func isThisRequest(_ target: String) -> Bool {
    let bare = String(target.prefix { $0 != "?" && $0 != "#" })
    guard let named = Address(bare), let here = Address(exchange.targetURI) else { return false }
    return named.scheme == "https" && named.isLoopback && named.port == here.port
      && named.rest == here.rest
  }

  private func refused(_ message: String, code: String = "invalid_dpop_proof") -> OAuthError {
    if exchange.endpoint == .resources || exchange.endpoint == .userinfo {
      return OAuthError(
        code, message, status: 401,
        challenge: "DPoP error=\"\(code)\", error_description=\"\(message)\"", dpopNonce: nonce)
    }
    return OAuthError(code, message, dpopNonce: nonce)
  }
}
