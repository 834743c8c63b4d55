/// One of the independent sets of tokens of a profile.
public enum CredentialSlot: String, Sendable, CaseIterable {
  /// The tokens of the user who is logged in.
  case user
  /// A token of the user with less scope, obtained without asking the user.
  case implicit
  /// The token of this installation (client credentials).
  case anonymous
}
