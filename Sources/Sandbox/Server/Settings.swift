/// What `start` was told about how the token server shall behave.
struct Settings: Sendable {
  /// Seconds an access token lives unless its client says otherwise.
  var accessTokenLifetime = 300
  /// What they are, unless the client says otherwise.
  var accessTokenFormat = TokenFormat.jwt
  /// Seconds between the polls of a device.
  var deviceInterval = 5
  /// Seconds a device code lives.
  var deviceLifetime = 600
  /// Whether registration wants the initial access token.
  var closedRegistration = false
  /// What the certificates of clients must lead to, beside the sandbox's own root.
  var clientRoots: [Certificate] = []
  var clientIntermediates: [Certificate] = []
  /// Whose assertions are believed beside those of the clients themselves.
  var trustedIssuer: TrustedIssuer?
  var flavour = Flavour.standard
  /// Whether resources refuse requests that are not encrypted, and token responses say so.
  var payloadEncryption = false
}

/// Somebody outside who may say for whom a token is (RFC 7523).
struct TrustedIssuer: Sendable {
  let name: String
  let keys: [VerificationKey]
}

/// Whose manners the answers of the token endpoint have.
enum Flavour: String, CaseIterable, Sendable {
  case standard
  /// With `profile_id`, `usage_count` and `usage_limit`.
  case onegini
}

/// What an access token is.
enum TokenFormat: String, CaseIterable, Sendable {
  /// RFC 9068.
  case jwt
  case opaque
}
