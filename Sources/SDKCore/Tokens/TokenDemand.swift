import Primitives

/// How fresh a token must be.
public struct TokenDemand: Sendable, Hashable {
  /// The minimum number of seconds for which the access token must be valid.
  public var minimumLifetime: Int64
  /// Whether a new token is requested even if the stored one is valid.
  public var forceNew: Bool
  /// A token that a server has just refused, and that must not be returned again.
  public var refused: String?
  /// The scope of a new implicit or anonymous token; `nil` for the profile's, or for an implicit
  /// one that of the old one.
  public var scope: String?
  /// Whether it must be bound to a key (RFC 9449).
  var isBound = false
  /// Whether the server decides if the token is still valid.
  var ignoresExpiry = false
  package var takesCookies = false
  /// A credential that the server of a resource has just refused; how it is renewed, the profile says.
  private(set) var refusedCredential: AuthorizationProvider?

  /// Makes a demand; the default is thirty seconds of life.
  public init(
    minimumLifetime: Int64 = 30, forceNew: Bool = false, refused: String? = nil,
    scope: String? = nil
  ) {
    self.minimumLifetime = minimumLifetime
    self.forceNew = forceNew
    self.refused = refused
    self.scope = scope
  }

  /// Makes the demand for another credential than one that the server of a resource has refused.
  init(refusing credential: AuthorizationProvider) {
    self.init(
      minimumLifetime: credential.isOutsideOAuth ? 0 : 30, refused: credential.tokens?.accessToken)
    refusedCredential = credential
    takesCookies = true
  }

  /// Whether a credential is as fresh as a server makes it: another process has just obtained it.
  ///
  /// If it is valid for less than is required, all processes would obtain a new one in turn. An older one
  /// than the demand, which only this machine did not know, must be valid for as long as is required.
  func isMet(
    by credential: AuthorizationProvider, renewedFrom before: AuthorizationProvider?,
    since start: Timestamp, at now: Timestamp
  ) -> Bool {
    guard credential != before else { return false }
    var demand = self
    let isAnother =
      credential.tokens.map { tokens in
        !sameIdentifier(tokens.accessToken, before?.tokens?.accessToken)
          && tokens.obtained >= start - Self.clockSkew
      } ?? true
    if isAnother { demand.minimumLifetime = 0 }
    return demand.isMet(by: credential, at: now)
  }

  /// How many seconds the clocks of machines that share a login may differ.
  private static let clockSkew: Int64 = 5

  func isMet(by credential: AuthorizationProvider, at now: Timestamp) -> Bool {
    guard credential != refusedCredential else { return false }
    guard let tokens = credential.tokens else {
      return credential.expires.map { $0 > now + minimumLifetime } ?? true
    }
    return !sameIdentifier(tokens.accessToken, refused) && (tokens.isBound || !isBound)
      && (ignoresExpiry || tokens.isValid(at: now, minimumLifetime: minimumLifetime))
  }
}
