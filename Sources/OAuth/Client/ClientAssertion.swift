import JOSE
import JSON
import Primitives

/// A token that authenticates a client for one request (RFC 7523 sections 2.2 and 3), or
/// names a user (section 2.1).
struct ClientAssertion: Sendable {
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  let clientID: String
  /// The server that the assertion is for: its issuer, or one of its endpoints.
  let audience: String
  let now: Timestamp
  /// The user that it names; `nil` for the client itself.
  var subject: String?

  /// The claims, with an identifier that no other assertion has.
  func claims() throws(JOSEError) -> [UInt8] {
    let claims: JSON = [
      "iss": .string(clientID), "sub": .string(subject ?? clientID), "aud": .string(audience),
      "jti": .string(try tokenIdentifier()), "iat": .time(now),
      "exp": .time(now + Self.lifetime),
    ]
    return Array(claims.serialized().utf8)
  }

  private static let lifetime: Int64 = 60
}
