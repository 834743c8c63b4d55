/// One step of a logout or a deregistration, and its result.
public struct LogoutStep: Sendable, Hashable {
  /// What a step does.
  public enum Action: String, Sendable {
    /// Revoke the refresh token (RFC 7009).
    case revokeRefreshToken = "revoke_refresh_token"
    /// Revoke the access token (RFC 7009).
    case revokeAccessToken = "revoke_access_token"
    /// Erase the stored tokens.
    case erase
    /// Erase the stored access token; the login stays.
    case eraseAccessToken = "erase_access_token"
    /// End the session of the browser at the server.
    case endSession = "end_session"
    /// Delete the registration at the server (RFC 7592 section 2.3).
    case deleteRegistration = "delete_registration"
    /// Erase the stored registration.
    case eraseRegistration = "erase_registration"

    /// The action in words, for people: `revoke the refresh token`.
    public var words: String {
      switch self {
      case .revokeRefreshToken: "revoke the refresh token"
      case .revokeAccessToken: "revoke the access token"
      case .erase: "erase the stored tokens"
      case .eraseAccessToken: "erase the stored access token"
      case .endSession: "end the session at the server"
      case .deleteRegistration: "delete the registration"
      case .eraseRegistration: "erase the stored registration"
      }
    }
  }

  /// How a step ended.
  public enum Outcome: Sendable, Hashable {
    /// It succeeded.
    case done
    /// Begun; the user completes it in the browser, and the result is not known here.
    case pending(String)
    /// It was not tried; the text says why.
    case skipped(String)
    /// It was not tried, because the caller wanted an end here only.
    case skippedAsLocal
    /// It failed.
    case failed(SDKError)
  }

  /// What it does.
  public let action: Action
  /// How it ended.
  public let outcome: Outcome
  /// The slot whose tokens it is about, if a command empties more than one.
  public var slot: CredentialSlot?
  /// The user whose slot it is; `nil` for ``UserID/standard``, and if it is about no slot.
  public var user: UserID?

  /// Makes a step, for what a program does besides, such as to open ``LoginService/endSessionURL()``.
  public init(action: Action, outcome: Outcome, slot: CredentialSlot? = nil) {
    self.action = action
    self.outcome = outcome
    self.slot = slot
  }
}
