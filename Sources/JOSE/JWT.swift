public import JSON
public import Primitives

/// A signed JSON Web Token (RFC 7519), parsed but not verified.
///
/// Not to be trusted before a ``TokenVerifier`` has found it valid.
public struct JWT: Sendable, Hashable {
  /// The token as a signed message.
  public let jws: JWS
  /// Its claims by their types.
  public let body: TokenClaims

  /// Parses a token in compact form.
  ///
  /// - Throws: ``JOSEError`` as ``JWS/init(compact:)`` does, and with the code
  ///   `malformed` if the claims are not an object or one of them has the wrong type.
  public init(_ compact: String) throws(JOSEError) {
    try self.init(JWS(compact: compact))
  }

  /// Reads the claims of a signed message.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed`, or `nested` for a token in the token.
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
    self.jws = jws
    body = try TokenClaims(claims)
  }

  /// The token in compact form that the content of a token is; `nil` if it is something else.
  static func token(in content: [UInt8]) -> String? {
    let isToken = content.allSatisfy { byte in
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || byte.isLetter || byte.isDigit
    }
    guard isToken, [2, 4].contains(content.count { $0 == UInt8(ascii: ".") }) else { return nil }
    return String(decoding: content, as: UTF8.self)
  }

  /// The claims, an object.
  public var claims: JSON { body.json }

  /// Who issued it (`iss`).
  public var issuer: String? { body.issuer }

  /// Whom it is about (`sub`).
  public var subject: String? { body.subject }

  /// Its audience (`aud`); empty if it has none.
  public var audience: [String] { body.audience }

  /// Its expiration time (`exp`).
  public var expiration: Timestamp? { body.expiration }

  /// The text of a claim; `nil` if it is absent or not a string.
  public func string(_ name: String) -> String? { body.string(name) }
}
