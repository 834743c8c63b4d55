import OAuth
import SDKCore

extension TokenService {
  /// The session of a slot for a FIDO server, and the user that it names.
  ///
  /// - Throws: ``SDKError/Code/notAuthenticated`` if nobody is logged in.
  func session(
    _ slot: CredentialSlot
  ) async throws(SDKError) -> (credential: Credential, user: String?) {
    var demand = TokenDemand()
    demand.takesCookies = true
    let provider = try await credential(in: slot, demand)
    let proof =
      if let tokens = provider.tokens { try await self.proof(of: tokens) } else { DPoP?.none }
    let credential = Credential(provider, dpop: proof, now: environment.clock.now)
    return (credential, provider.user)
  }
}
