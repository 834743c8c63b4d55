public import JSON
internal import OpenSSL
internal import Primitives

extension TokenExpectations {
  /// Checks the claims of a token whose signature is checked elsewhere.
  public func checks(of token: JWT) -> [TokenCheckResult] {
    let claims = claimChecks
    var checks = [
      check(.type, type) { (_) throws(JOSEError) in try claims.checkType(token.jws.type) },
      issuerCheck(of: token),
      check(.audience, audiences.isEmpty ? nil : audiences) { (wanted) throws(JOSEError) in
        try requireAudience(wanted, of: token)
      },
      check(.subject, subject) { (wanted) throws(JOSEError) in
        try require("sub", .subjectMismatch, token.subject, wanted, "the token is about")
      },
      check(.authorizedParty, authorizedParty) { (_) throws(JOSEError) in
        try claims.checkAuthorizedParty(token)
      },
      check(.nonce, nonce) { (wanted) throws(JOSEError) in
        try require("nonce", .nonceMismatch, token.string("nonce"), wanted, "the nonce is")
      },
    ]
    checks += timeChecks(of: token, claims)
    checks += [
      check(.accessTokenHash, accessToken) { (value) throws(JOSEError) in
        try requireHash(of: value, in: token)
      },
      check(.confirmation, confirmation) { (wanted) throws(JOSEError) in
        try wanted.check(token.claims["cnf"])
      },
    ]
    if !scope.isEmpty {
      checks.append(
        check(.scope, scope) { (wanted) throws(JOSEError) in try requireScope(wanted, of: token) })
    }
    if !contexts.isEmpty {
      checks.append(
        check(.authenticationContext, contexts) { (wanted) throws(JOSEError) in
          try requireContext(wanted, of: token)
        })
    }
    return checks
  }

  private func issuerCheck(of token: JWT) -> TokenCheckResult {
    check(.issuer, issuer == nil && tenantIssuer == nil ? nil : token) {
      (token) throws(JOSEError) in
      var claims = claimChecks
      if issuer == nil { claims.issuer = try tenantIssuer?.issuer(of: token) }
      try claims.checkIssuer(token)
    }
  }

  private func timeChecks(of token: JWT, _ claims: JWTChecks) -> [TokenCheckResult] {
    let isOptional = token.expiration == nil && !requiresExpiration
    var checks = [
      check(.expiration, isOptional ? nil : token, "the token has no 'exp'") {
        (token) throws(JOSEError) in try claims.checkExpiration(token)
      },
      check(.notBefore, token.notBefore, "the token has no 'nbf'") { (_) throws(JOSEError) in
        try claims.checkNotBefore(token)
      },
      check(.issuedAt, token.issuedAt, "the token has no 'iat'") { (_) throws(JOSEError) in
        try claims.checkIssuedAt(token)
      },
    ]
    if let minimumLifetime {
      checks.append(
        check(.lifetime, token.expiration, "the token has no 'exp'") {
          (expiration) throws(JOSEError) in
          let left = expiration.seconds(since: now)
          guard left <= minimumLifetime else { return }
          throw JOSEError(
            .expired,
            left > 0
              ? "the token is valid for \(left) seconds, not for more than \(minimumLifetime)"
              : "the token expired \(-left) seconds ago")
        })
    }
    return checks
  }

  private func requireAudience(_ wanted: [String], of token: JWT) throws(JOSEError) {
    guard !wanted.contains(where: { token.audience.contains(identifier: $0) }) else { return }
    let found = token.audience.map(quoted).joined(separator: ", ")
    throw JOSEError(
      .audienceMismatch,
      "the token is \(found.isEmpty ? "without audience" : "for \(found)"), not for "
        + wanted.map(quoted).joined(separator: " or "))
  }

  private func requireHash(of accessToken: String, in token: JWT) throws(JOSEError) {
    guard let found = token.string("at_hash"), let algorithm = token.jws.algorithm else {
      throw JOSEError(.hashMismatch, "the token has no 'at_hash'")
    }
    guard ConstantTime.equal(found, TokenHash.leftHalf(of: accessToken, algorithm: algorithm))
    else { throw JOSEError(.hashMismatch, "the token belongs to another access token (at_hash)") }
  }

  private func requireScope(_ wanted: [String], of token: JWT) throws(JOSEError) {
    let granted = token.scope
    let missing = wanted.filter { !granted.contains(identifier: $0) }
    guard missing.isEmpty else {
      throw JOSEError(
        .scopeMissing,
        "the token does not have the scope \(missing.map(quoted).joined(separator: ", "))")
    }
  }

  private func requireContext(_ wanted: [String], of token: JWT) throws(JOSEError) {
    guard let found = token.string("acr"), wanted.contains(identifier: found) else {
      let found = token.string("acr").map(quoted) ?? "missing"
      throw JOSEError(
        .authenticationMismatch,
        "the authentication context (acr) is \(found), not "
          + wanted.map(quoted).joined(separator: " or "))
    }
  }

  private func require(
    _ claim: String, _ code: JOSEError.Code, _ found: String?, _ wanted: String, _ what: String
  ) throws(JOSEError) {
    guard let found else { throw JOSEError(code, "the token has no '\(claim)'") }
    guard sameIdentifier(found, wanted) else {
      throw JOSEError(code, "\(what) \(quoted(found)), not \(quoted(wanted))")
    }
  }
}

extension JWT {
  /// The values of the scope: `scope` as text (RFC 9068), or a list as in `scp`.
  public var scope: [String] {
    for name in ["scope", "scp"] {
      if let text = string(name) { return text.split(separator: " ").map(String.init) }
      if let list = claims[name]?.strings { return list }
    }
    return []
  }
}

extension TokenConfirmation {
  /// Checks the claim `cnf`.
  fileprivate func check(_ claim: JSON?) throws(JOSEError) {
    let rows = [
      ("x5t#S256", certificate, "another certificate"), ("jkt", key, "another key"),
    ]
    for (name, wanted, other) in rows {
      guard let wanted else { continue }
      guard let found = claim?[name]?.string else {
        throw JOSEError(.confirmationMismatch, "the token has no 'cnf' with '\(name)'")
      }
      guard ConstantTime.equal(found, wanted) else {
        throw JOSEError(.confirmationMismatch, "the token is bound to \(other) (\(name))")
      }
    }
  }
}

/// Makes a check for a value that is expected or present; skipped without one.
private func check<Value>(
  _ name: TokenCheckResult.Name, _ value: Value?, _ absent: String = "not requested",
  _ body: (Value) throws(JOSEError) -> Void
) -> TokenCheckResult {
  guard let value else { return .skipped(name, absent) }
  do throws(JOSEError) {
    try body(value)
    return .passed(name)
  } catch {
    return .failed(name, error)
  }
}

extension TokenExpectations {
  /// Checks an opaque token by claims that are known of it from elsewhere.
  public func checks(ofOpaque claims: JSON) -> [TokenCheckResult] {
    let text =
      "\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)))."
      + "\(Base64URL.encode(Array(claims.serialized().utf8)))."
    do throws(JOSEError) {
      return checks(of: try JWT(text))
    } catch {
      return [.failed(.format, error)]
    }
  }
}
