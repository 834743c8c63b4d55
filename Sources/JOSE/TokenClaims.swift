public import JSON
public import Primitives

/// The claims of a token (RFC 7519 section 4.1), read but not verified.
public struct TokenClaims: Sendable, Hashable {
  /// All of them, an object.
  public let json: JSON
  /// Who issued the token (`iss`).
  public let issuer: String?
  /// Whom it is about (`sub`).
  public let subject: String?
  /// Its audience (`aud`); empty if it has none.
  public let audience: [String]
  /// Its expiration time (`exp`).
  public let expiration: Timestamp?
  /// The time from which it is valid (`nbf`).
  public let notBefore: Timestamp?
  /// When it was issued (`iat`).
  public let issuedAt: Timestamp?

  /// Reads claims.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed` if they are not an object, or if one of them has
  ///   the wrong type.
  public init(_ json: JSON) throws(JOSEError) {
    guard json.object != nil else {
      throw JOSEError(.malformed, "the payload is \(json.kind), not an object")
    }
    self.json = json
    issuer = try textClaim("iss", of: json)
    subject = try textClaim("sub", of: json)
    audience = try audienceClaim("aud", of: json)
    expiration = try timeClaim("exp", of: json)
    notBefore = try timeClaim("nbf", of: json)
    issuedAt = try timeClaim("iat", of: json)
  }

  /// The text of a claim; `nil` if it is absent or not a string.
  public func string(_ name: String) -> String? { json[name]?.string }

  /// The values of the scope: `scope` as text (RFC 9068), or a list as in `scp`.
  public var scope: [String] {
    for name in ["scope", "scp"] {
      if let text = string(name) { return text.words }
      if let list = json[name]?.strings { return list }
    }
    return []
  }

  /// The time of a claim such as `auth_time`, rounded down.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed` if it is not a time of this era.
  func time(of name: String) throws(JOSEError) -> Timestamp? { try timeClaim(name, of: json) }
}

private func textClaim(_ name: String, of claims: JSON) throws(JOSEError) -> String? {
  guard let value = claims[name] else { return nil }
  guard let text = value.string else {
    throw JOSEError(.malformed, "the claim '\(name)' is \(value.kind), not a string")
  }
  return text
}

private func audienceClaim(_ name: String, of claims: JSON) throws(JOSEError) -> [String] {
  guard let value = claims[name] else { return [] }
  guard let names = value.string.map({ [$0] }) ?? value.strings else {
    throw JOSEError(
      .malformed, "the claim '\(name)' is neither a string nor an array of strings")
  }
  return names
}

/// A NumericDate between 1970 and the end of the year 9999, rounded down (RFC 7519 section 2).
private func timeClaim(_ name: String, of claims: JSON) throws(JOSEError) -> Timestamp? {
  guard let value = claims[name] else { return nil }
  guard let seconds = value.double, seconds >= 0, seconds < 253_402_300_800 else {
    throw JOSEError(.malformed, "the claim '\(name)' is not a time in seconds since 1970")
  }
  return Timestamp(Int64(seconds))
}
