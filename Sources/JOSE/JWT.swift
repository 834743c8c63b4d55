public import JSON
public import Primitives

/// A signed JSON Web Token (RFC 7519), parsed but not verified.
///
/// Not to be trusted before ``JWS/verify(with:allowed:)`` and ``JWTChecks``.
public struct JWT: Sendable, Hashable {
  /// The token as a signed message.
  public let jws: JWS
  /// The claims, an object.
  public let claims: JSON
  /// Who issued it (`iss`).
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

  /// Parses a token in compact form.
  ///
  /// - Throws: ``JOSEError`` as ``JWS/init(compact:)`` does, and with the code
  ///   `malformed` if the claims are not an object or one of them has the wrong type.
  public init(_ compact: String) throws(JOSEError) {
    try self.init(JWS(compact: compact))
  }

  /// Reads the claims of a signed message.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed`.
  public init(_ jws: JWS) throws(JOSEError) {
    guard Self.token(in: jws.payload) == nil else {
      throw JOSEError(
        .nested, "the payload is another token, not claims (a JWT in a JWS, RFC 7519 section 5.2)")
    }
    let claims: JSON
    do {
      claims = try JSON(parsing: jws.payload)
    } catch {
      throw JOSEError(.malformed, "the payload is not JSON: \(error)")
    }
    guard claims.object != nil else {
      throw JOSEError(.malformed, "the payload is \(claims.kind), not an object")
    }
    self.jws = jws
    self.claims = claims
    issuer = try textClaim("iss", of: claims)
    subject = try textClaim("sub", of: claims)
    audience = try audienceClaim(of: claims)
    expiration = try timeClaim("exp", of: claims)
    notBefore = try timeClaim("nbf", of: claims)
    issuedAt = try timeClaim("iat", of: claims)
  }

  /// The token in compact form that the content of a token is; `nil` if it is something else.
  package static func token(in content: [UInt8]) -> String? {
    let isToken = content.allSatisfy { byte in
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || byte.isLetter || byte.isDigit
    }
    guard isToken, [2, 4].contains(content.count { $0 == UInt8(ascii: ".") }) else { return nil }
    return String(decoding: content, as: UTF8.self)
  }

  /// The text of a claim; `nil` if it is absent or not a string.
  public func string(_ name: String) -> String? { claims[name]?.string }

  /// The time of a claim such as `auth_time`, rounded down.
  ///
  /// - Parameter name: the claim.
  /// - Returns: the time; `nil` when the claim is absent.
  /// - Throws: ``JOSEError`` with the code `malformed` if it is not a time of this era.
  public func time(_ name: String) throws(JOSEError) -> Timestamp? {
    try timeClaim(name, of: claims)
  }
}

private func textClaim(_ name: String, of claims: JSON) throws(JOSEError) -> String? {
  guard let value = claims[name] else { return nil }
  guard let text = value.string else {
    throw JOSEError(.malformed, "the claim '\(name)' is \(value.kind), not a string")
  }
  return text
}

private func audienceClaim(of claims: JSON) throws(JOSEError) -> [String] {
  guard let value = claims["aud"] else { return [] }
  guard let audience = value.string.map({ [$0] }) ?? value.strings else {
    throw JOSEError(.malformed, "the claim 'aud' is neither a string nor an array of strings")
  }
  return audience
}

/// A NumericDate between 1970 and the end of the year 9999, rounded down (RFC 7519 section 2).
private func timeClaim(_ name: String, of claims: JSON) throws(JOSEError) -> Timestamp? {
  guard let value = claims[name] else { return nil }
  guard let seconds = value.double, seconds >= 0, seconds < 253_402_300_800 else {
    throw JOSEError(.malformed, "the claim '\(name)' is not a time in seconds since 1970")
  }
  return Timestamp(Int64(seconds))
}
