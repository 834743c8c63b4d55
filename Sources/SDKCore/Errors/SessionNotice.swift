/// What a session has done that the caller did not request by itself.
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
  /// A new credential of the slot was dropped: its lock was lost, and another machine had stored a newer one.
  case renewalDiscarded(CredentialSlot)
  /// A server asks for a client certificate, and none of the stored ones is shown; the text says why.
  case identityWithheld(String)
  /// No key is pinned for hosts that the metadata of the server names, and that the login itself does not need.
  case unpinned([String])
  /// The browser sent what may be the response of a login, which still waits; why it was refused, and what helps.
  case responseRefused(cause: String, advice: String?)
  /// The former certificate of a renewed identity could not be retired; the text says why.
  case identityNotRetired(IdentityName, String)
}
