/// What somebody allowed a client once: every token of one login belongs to one grant.
struct Grant: Sendable {
  let clientID: String
  /// The person, or nothing when the client acts for itself.
  var subject: String?
  var scopes: [String]
  var authenticatedAt: Int?
  var acr: String?
  var amr: [String] = []
  var nonce: String?
  /// The key that the refresh token is bound to (RFC 9449 section 5).
  var keyThumbprint: String?
  var sessionID: String?
  /// A fault that the login asked for and its first ID token shall show.
  var fault: Fault?
}

/// An access token that was handed out.
struct AccessToken: Sendable {
  let grantID: String
  let clientID: String
  let subject: String?
  let scopes: [String]
  let issuedAt: Int
  let expiresAt: Int
  /// The key a DPoP proof must be made with, if the token is bound.
  let keyThumbprint: String?
  /// Whether it was obtained without the person, by narrowing (the vendor's implicit token).
  let isImplicit: Bool

  func isExpired(at now: Int) -> Bool { now >= expiresAt }
}
