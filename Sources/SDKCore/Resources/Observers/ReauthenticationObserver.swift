/// Gets a new credential after a 401, as the profile says: `reauthenticate`.
///
/// The pipeline then sends the request once more with what is stored. One process of the machine
/// authenticates; the others use its result.
final class ReauthenticationObserver: RequestObserver {
  private let tokens: TokenService
  private let choice: Reauthentication?

  /// Makes the observer; `nil` if nothing follows a refusal.
  init?(_ tokens: TokenService) {
    choice = tokens.profile.reauthentication
    guard choice != Reauthentication.none else { return nil }
    self.tokens = tokens
  }

  func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool {
    access != .user || tokens.slots.injected == nil
  }

  func reauthenticate(after refusal: CredentialRefusal) async throws(SDKError) {
    guard let slot = refusal.access.slot else { return }
    switch way(slot, refusal.provider) {
    case .refresh: try await refresh(slot, refusal.provider)
    case .form: _ = try await tokens.renewed(after: refusal.provider)
    case .fido:
      throw SDKError(
        .unsupported,
        "could not authenticate again: this version has no FIDO authenticator",
        subject: "reauthenticate", remedy: .setProfile(key: "reauthenticate", value: "refresh"))
    case .none: break
    }
  }

  /// Anonymous and implicit tokens are requested again, whatever the setting is.
  private func way(_ slot: CredentialSlot, _ provider: AuthorizationProvider) -> Reauthentication {
    guard slot == .user else { return .refresh }
    return choice ?? (provider.isOfForm ? .form : .refresh)
  }

  private func refresh(
    _ slot: CredentialSlot, _ provider: AuthorizationProvider
  ) async throws(SDKError) {
    guard let refused = provider.tokens?.accessToken else {
      throw tokens.slots.expired("its cookies are not valid any more, and cannot be refreshed")
    }
    _ = try await tokens.valid(for: slot, TokenDemand(refused: refused))
  }
}
