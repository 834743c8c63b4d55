/// What a passcode can seal beside the refresh tokens of slots.
public enum SealedKind: String, Sendable, Hashable, CaseIterable {
  /// The secret of the client, its keys, and its registration access token.
  case client
  /// The key that tokens are bound to.
  case dpop
  /// The keys of identities that have no passphrase of their own.
  case identity

  /// Whether it belongs to the profile and not to one of its users: then the first user's passcode seals it.
  public var isOfProfile: Bool { self != .dpop }
}
