/// What became of one step of a logout or a deregistration.
package struct LogoutStep: Sendable, Hashable {
  package enum Action: String, Sendable {
    case revokeRefreshToken = "revoke_refresh_token"
    case revokeAccessToken = "revoke_access_token"
    case erase
    case endSession = "end_session"
    case deleteRegistration = "delete_registration"
    case eraseRegistration = "erase_registration"

    package var words: String {
      switch self {
      case .revokeRefreshToken: "revoke the refresh token"
      case .revokeAccessToken: "revoke the access token"
      case .erase: "erase the stored tokens"
      case .endSession: "end the session at the server"
      case .deleteRegistration: "delete the registration"
      case .eraseRegistration: "erase the stored registration"
      }
    }
  }

  package enum Outcome: Sendable, Hashable {
    case done
    /// Begun; the rest is a person's, and nobody hears of it here.
    case pending(String)
    case skipped(String)
    case failed(SDKError)
  }

  package let action: Action
  package let outcome: Outcome
  /// Whose tokens it is about, where a command empties more than one slot.
  package var slot: CredentialSlot?

  package init(action: Action, outcome: Outcome, slot: CredentialSlot? = nil) {
    self.action = action
    self.outcome = outcome
    self.slot = slot
  }
}
