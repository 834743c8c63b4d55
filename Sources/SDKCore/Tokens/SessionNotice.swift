/// A change to the stored tokens, or to the client, that the caller did not request by itself.
///
/// A command that limits a login reports it.
public enum SessionNotice: Sendable, Hashable {
  /// A refresh with less scope rotated the refresh token: the server may limit the login to that.
  case mayBeLimited(to: String)
  /// A refresh brought less scope than the login had; these words are missing.
  case scopeLost([String])
  /// Tokens that could not be read were replaced or erased; the text says why they could not.
  case damagedTokens(CredentialSlot, String)
  /// A step in the end of the client in whose place another one comes.
  case endedClient(LogoutStep)
}
