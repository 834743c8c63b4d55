internal import JSON
public import Primitives

/// The required claims of a token.
///
/// Checks claims only; the signature is checked by ``JWS/verify(with:allowed:)``.
public struct JWTChecks: Sendable, Hashable {
  /// The one issuer, compared character by character.
  public var issuer: String?
  /// What the audience must contain.
  public var audience: String?
  /// The client that it must be issued to: `azp` must be this if it is present, and must be
  /// present where the audience has several members (OpenID Connect Core 3.1.3.7).
  public var authorizedParty: String?
  /// The media type that `typ` must name, without `application/` (RFC 7515 section 4.1.9).
  public var type: String?
  /// The present time.
  public var now: Timestamp
  /// By how many seconds clocks may differ.
  public var leeway: Int64
  /// Whether a token without `exp` is refused.
  public var requireExpiration: Bool
  /// Whether a token without `iat` is refused.
  public var requireIssuedAt: Bool

  /// Describes the checks; what is `nil` is not checked.
  public init(
    issuer: String? = nil, audience: String? = nil, authorizedParty: String? = nil,
    type: String? = nil, now: Timestamp, leeway: Int64 = 60, requireExpiration: Bool = true,
    requireIssuedAt: Bool = false
  ) {
    self.issuer = issuer
    self.audience = audience
    self.authorizedParty = authorizedParty
    self.type = type
    self.now = now
    self.leeway = leeway
    self.requireExpiration = requireExpiration
    self.requireIssuedAt = requireIssuedAt
  }

  /// Checks a token.
  ///
  /// - Throws: ``JOSEError`` with the code of the first check that fails.
  public func check(_ token: JWT) throws(JOSEError) {
    try checkType(token.jws.type)
    try checkIssuer(token)
    if let audience, !token.audience.contains(identifier: audience) {
      throw JOSEError(.audienceMismatch, "the token is not for \(quoted(audience))")
    }
    try checkAuthorizedParty(token)
    try checkExpiration(token)
    try checkNotBefore(token)
    try checkIssuedAt(token)
  }

  func checkIssuer(_ token: JWT) throws(JOSEError) {
    guard let issuer, !sameIdentifier(token.issuer, issuer) else { return }
    let found = token.issuer.map { "issued by \(quoted($0))" } ?? "without issuer"
    throw JOSEError(.issuerMismatch, "the token is \(found), not by \(quoted(issuer))")
  }

  func checkType(_ found: String?) throws(JOSEError) {
    guard let type, found.map(mediaType) != mediaType(type) else { return }
    let what = found.map { "of the type \(quoted($0))" } ?? "without a type"
    throw JOSEError(.typeMismatch, "the token is \(what), not of the type \(quoted(type))")
  }

  func checkAuthorizedParty(_ token: JWT) throws(JOSEError) {
    guard let authorizedParty else { return }
    guard let claim = token.claims["azp"] else {
      guard token.audience.count > 1 else { return }
      throw JOSEError(
        .authorizedPartyMismatch, "the token has several audiences but no authorized party")
    }
    guard sameIdentifier(claim.string, authorizedParty) else {
      throw JOSEError(
        .authorizedPartyMismatch, "the token is not issued to \(quoted(authorizedParty))")
    }
  }

  func checkExpiration(_ token: JWT) throws(JOSEError) {
    if let expiration = token.expiration {
      guard now - leeway < expiration else {
        throw JOSEError(
          .expired, "the token expired \(now.seconds(since: expiration)) seconds ago")
      }
    } else if requireExpiration {
      throw JOSEError(.expirationMissing, "the token has no expiration")
    }
  }

  func checkNotBefore(_ token: JWT) throws(JOSEError) {
    if let notBefore = token.notBefore, notBefore > now + leeway {
      throw JOSEError(
        .notYetValid,
        "the token is not valid for another \(notBefore.seconds(since: now)) seconds")
    }
  }

  func checkIssuedAt(_ token: JWT) throws(JOSEError) {
    if let issuedAt = token.issuedAt {
      guard issuedAt <= now + leeway else {
        throw JOSEError(
          .issuedInFuture,
          "the token was issued \(issuedAt.seconds(since: now)) seconds in the future")
      }
    } else if requireIssuedAt {
      throw JOSEError(.issuedAtMissing, "the token does not say when it was issued")
    }
  }
}

/// A media type for comparison: lower case, without the optional `application/`.
private func mediaType(_ text: String) -> String {
  let lowered = text.asciiLowercased
  let rest = lowered.dropFirst("application/".count)
  return lowered.hasPrefix("application/") && !rest.contains("/") ? String(rest) : lowered
}
