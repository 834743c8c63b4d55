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

  /// Makes a demand; the default is thirty seconds of life.
  public init(minimumLifetime: Int64 = 30, forceNew: Bool = false, refused: String? = nil) {
    self.minimumLifetime = minimumLifetime
    self.forceNew = forceNew
    self.refused = refused
  }

  /// Whether tokens are as fresh as a server makes them: another process has just obtained them.
  ///
  /// If tokens are valid for less than is required, all processes would obtain new ones in turn.
  func isMet(by tokens: TokenSet, renewedFrom before: TokenSet?, at now: Timestamp) -> Bool {
    guard tokens != before else { return false }
    let isNew = !sameIdentifier(tokens.accessToken, before?.accessToken)
    var demand = self
    if isNew { demand.minimumLifetime = 0 }
    return demand.isMet(by: tokens, at: now)
  }

  /// Whether tokens are as fresh as that.
  func isMet(by tokens: TokenSet, at now: Timestamp) -> Bool {
    !sameIdentifier(tokens.accessToken, refused) && (tokens.isBound || !isBound)
      && (ignoresExpiry || tokens.isValid(at: now, minimumLifetime: minimumLifetime))
  }
}
