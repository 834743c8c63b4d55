internal import JSON
internal import OpenSSL
internal import Primitives

extension TokenExpectations {
  /// Checks the claims of a token whose signature is checked elsewhere.
  public func checks(of token: JWT) -> [TokenCheckResult] { checks(of: token.body, token.jws) }

  /// Throws the first check that fails; the signature is checked elsewhere.
  package func require(_ token: JWT, ignoringTimes: Bool = false) throws(JOSEError) {
    let failures = checks(of: token).filter { $0.status == .failed }
    guard let failure = failures.first(where: { !ignoringTimes || !$0.isTime }) else { return }
    throw JOSEError(failure.code ?? .malformed, failure.detail ?? "")
  }

  /// Checks claims whose source is trusted, such as those of an introspection response (RFC 7662).
  ///
  /// - Parameters:
  ///   - claims: the claims.
  ///   - token: the token that has them; `nil` if they come from elsewhere, and have no header.
  /// - Returns: all checks, in their order.
  public func checks(of claims: TokenClaims, _ token: JWS?) -> [TokenCheckResult] {
    var checks = [
      check(.type, type) { (wanted) throws(JOSEError) in try requireType(wanted, token?.type) },
      check(.issuer, issuer == nil && tenantIssuer == nil ? nil : claims) {
        (claims) throws(JOSEError) in
        try requireIssuer(of: claims)
      },
      check(.audience, audiences.isEmpty ? nil : audiences) { (wanted) throws(JOSEError) in
        try requireAudience(wanted, of: claims)
      },
      check(.subject, subject) { (wanted) throws(JOSEError) in
        guard let found = claims.subject else { throw absent("sub", .subjectMismatch) }
        guard sameIdentifier(found, wanted) else {
          throw JOSEError(
            .subjectMismatch, "the token is about \(quoted(found)), not \(quoted(wanted))")
        }
      },
      check(.authorizedParty, authorizedParty) { (wanted) throws(JOSEError) in
        try requireClient(wanted, claims, token)
      },
      check(.nonce, nonce) { (wanted) throws(JOSEError) in
        guard let found = claims.string("nonce") else { throw absent("nonce", .nonceMismatch) }
        guard ConstantTime.equal(found, wanted) else {
          throw JOSEError(.nonceMismatch, "the token has another nonce")
        }
      },
    ]
    checks += timeChecks(of: claims)
    checks += [
      check(.accessTokenHash, accessToken) { (value) throws(JOSEError) in
        try requireHash("at_hash", of: value, "access token", claims, token)
      },
      check(.confirmation, confirmation) { (wanted) throws(JOSEError) in
        try wanted.check(claims.json["cnf"])
      },
    ]
    return checks + rareChecks(of: claims, token)
  }

  /// The checks that are reported only if they are requested.
  private func rareChecks(of claims: TokenClaims, _ token: JWS?) -> [TokenCheckResult] {
    let checks = [
      check(.codeHash, code) { (value) throws(JOSEError) in
        try requireHash("c_hash", of: value, "code", claims, token)
      },
      check(.scope, scope.isEmpty ? nil : scope) { (wanted) throws(JOSEError) in
        try requireScope(wanted, of: claims)
      },
      check(.authenticationContext, contexts.isEmpty ? nil : contexts) {
        (wanted) throws(JOSEError) in
        try requireContext(wanted, of: claims)
      },
      check(.authenticationTime, maximumAge) { (seconds) throws(JOSEError) in
        guard let time = try claims.time(of: "auth_time") else {
          throw JOSEError(
            .authenticationMismatch, "the token does not say when the user authenticated")
        }
        // Clocks differ, as for the other times of a login.
        guard now.seconds(since: time + leeway) <= seconds else {
          throw JOSEError(
            .authenticationMismatch, "the user authenticated longer ago than max_age")
        }
      },
      check(.lifetime, minimumLifetime) { (seconds) throws(JOSEError) in
        guard let end = claims.expiration else {
          throw JOSEError(.expirationMissing, "it is not known when the token expires")
        }
        let left = end.seconds(since: now)
        guard left <= seconds else { return }
        throw JOSEError(
          .expired,
          left > 0
            ? "the token is valid for \(left) seconds, not for more than \(seconds)"
            : "the token expired \(-left) seconds ago")
      },
    ]
    return checks.filter { $0.status != .skipped }
  }

  private func timeChecks(of claims: TokenClaims) -> [TokenCheckResult] {
    let isOptional = claims.expiration == nil && !requiresExpiration
    let isUndated = claims.issuedAt == nil && !requiresIssuedAt
    return [
      check(.expiration, isOptional ? nil : claims, "the token has no 'exp'") {
        (claims) throws(JOSEError) in
        guard let expiration = claims.expiration else {
          throw JOSEError(.expirationMissing, "the token has no expiration")
        }
        guard now - leeway < expiration else {
          throw JOSEError(
            .expired, "the token expired \(now.seconds(since: expiration)) seconds ago")
        }
      },
      check(.notBefore, claims.notBefore, "the token has no 'nbf'") { (start) throws(JOSEError) in
        guard start <= now + leeway else {
          throw JOSEError(
            .notYetValid, "the token is not valid for another \(start.seconds(since: now)) seconds")
        }
      },
      check(.issuedAt, isUndated ? nil : claims, "the token has no 'iat'") {
        (claims) throws(JOSEError) in
        guard let issuedAt = claims.issuedAt else {
          throw JOSEError(.issuedAtMissing, "the token does not say when it was issued")
        }
        guard issuedAt <= now + leeway else {
          throw JOSEError(
            .issuedInFuture,
            "the token was issued \(issuedAt.seconds(since: now)) seconds in the future")
        }
      },
    ]
  }

  private func requireType(_ wanted: String, _ found: String?) throws(JOSEError) {
    guard found.map(mediaType) != mediaType(wanted) else { return }
    let what = found.map { "of the type \(quoted($0))" } ?? "without a type"
    throw JOSEError(.typeMismatch, "the token is \(what), not of the type \(quoted(wanted))")
  }

  private func requireIssuer(of claims: TokenClaims) throws(JOSEError) {
    guard let wanted = try tenantIssuer?.issuer(of: claims) ?? issuer,
      !sameIdentifier(claims.issuer, wanted)
    else { return }
    let found = claims.issuer.map { "issued by \(quoted($0))" } ?? "without issuer"
    throw JOSEError(.issuerMismatch, "the token is \(found), not by \(quoted(wanted))")
  }

  private func requireAudience(_ wanted: [String], of claims: TokenClaims) throws(JOSEError) {
    guard !wanted.contains(where: { claims.audience.contains(identifier: $0) }) else { return }
    let found = claims.audience.map(quoted).joined(separator: ", ")
    throw JOSEError(
      .audienceMismatch,
      "the token is \(found.isEmpty ? "without audience" : "for \(found)"), not for "
        + wanted.map(quoted).joined(separator: " or "))
  }

  /// Requires the client: what a person requires must be there, and only an ID token with one audience may
  /// have no `azp`.
  private func requireClient(
    _ wanted: String, _ claims: TokenClaims, _ token: JWS?
  ) throws(JOSEError) {
    let isAccessToken = token?.mediaType == "at+jwt"
    if claims.json["azp"] == nil, followsOpenIDConnect {
      guard claims.audience.count > 1 else { return }
      throw JOSEError(
        .authorizedPartyMismatch, "the token has several audiences but no authorized party")
    }
    for name in isAccessToken ? ["client_id", "azp"] : ["azp"] {
      guard let found = claims.json[name] else {
        if isAccessToken, name == "azp" { continue }
        throw absent(name, .authorizedPartyMismatch)
      }
      guard sameIdentifier(found.string, wanted) else {
        throw JOSEError(
          .authorizedPartyMismatch, "the token is not issued to \(quoted(wanted)) (\(name))")
      }
    }
  }

  private func requireHash(
    _ name: String, of value: String, _ what: String, _ claims: TokenClaims, _ token: JWS?
  ) throws(JOSEError) {
    guard let claim = claims.json[name], let algorithm = token?.algorithm else {
      if followsOpenIDConnect { return }
      throw absent(name, .hashMismatch)
    }
    let expected = try TokenHash.leftHalf(of: value, algorithm: algorithm)
    guard let found = claim.string, ConstantTime.equal(found, expected) else {
      throw JOSEError(.hashMismatch, "the token belongs to another \(what) (\(name))")
    }
  }

  private func requireScope(_ wanted: [String], of claims: TokenClaims) throws(JOSEError) {
    let granted = claims.scope
    let missing = wanted.filter { !granted.contains(identifier: $0) }
    guard missing.isEmpty else {
      throw JOSEError(
        .scopeMissing,
        "the token does not have the scope \(missing.map(quoted).joined(separator: ", "))")
    }
  }

  private func requireContext(_ wanted: [String], of claims: TokenClaims) throws(JOSEError) {
    let found = claims.string("acr")
    guard let found, wanted.contains(identifier: found) else {
      throw JOSEError(
        .authenticationMismatch,
        "the authentication context (acr) is \(found.map(quoted) ?? "missing"), not "
          + wanted.map(quoted).joined(separator: " or "))
    }
  }

  private func absent(_ claim: String, _ code: JOSEError.Code) -> JOSEError {
    JOSEError(code, "the token has no '\(claim)'")
  }
}

extension JWS {
  /// Its type for comparison: lower case, without the optional `application/`.
  package var mediaType: String? { type.map(JOSE.mediaType) }
}

/// A media type for comparison: lower case, without the optional `application/`.
private func mediaType(_ text: String) -> String {
  let lowered = text.asciiLowercased
  let rest = lowered.dropFirst("application/".count)
  return lowered.hasPrefix("application/") && !rest.contains("/") ? String(rest) : lowered
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
