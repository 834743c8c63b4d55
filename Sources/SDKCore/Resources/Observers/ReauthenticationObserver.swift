/// Gets a new credential after a 401, as the profile says: `reauthenticate`.
///
/// The pipeline then sends the request once more with what is stored. One process of the machine
/// authenticates; the others use its result.
final class ReauthenticationObserver: RequestObserver {
  private let tokens: TokenService

  init?(_ tokens: TokenService) {
    guard tokens.profile.reauthentication != Reauthentication.none else { return nil }
    self.tokens = tokens
  }

  func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool {
    access != .user || tokens.slots.injected == nil
  }

  func reauthenticate(after refusal: CredentialRefusal) async throws(SDKError) {
    guard let slot = refusal.access.slot else { return }
    _ = try await tokens.credential(in: slot, TokenDemand(refusing: refusal.provider))
  }
}
