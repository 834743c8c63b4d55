/// What `start` was told about how the token server shall behave.
struct Settings: Sendable {
  /// Seconds an access token lives unless its client says otherwise.
  var accessTokenLifetime = 300
  /// `jwt` (RFC 9068) or `opaque`, unless the client says otherwise.
  var accessTokenFormat = "jwt"
  /// Seconds between the polls of a device.
  var deviceInterval = 5
  /// Seconds a device code lives.
  var deviceLifetime = 600
  /// Whether registration wants the initial access token.
  var closedRegistration = false
}
