import JSON

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
  /// The certificate that the refresh token is bound to (RFC 8705 section 4).
  var certificateThumbprint: String?
  var sessionID: String?
  /// Whether its tokens are implicit ones.
  var isImplicit = false
  /// How often tokens were refreshed under it.
  var uses = 0
  /// How often they may be in the flavour that counts.
  static let usageLimit = 10
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
  /// The certificate that must be shown with the token, if it is bound.
  var certificateThumbprint: String?

  /// What the token is bound to, as its `cnf` (RFC 7800).
  var confirmation: JSON? {
    var members: JSONObject = [:]
    members["jkt"] = keyThumbprint.map(JSON.string)
    members["x5t#S256"] = certificateThumbprint.map(JSON.string)
    guard !members.isEmpty else { return nil }
    return .object(members)
  }

  func isExpired(at now: Int) -> Bool { now >= expiresAt }
}
