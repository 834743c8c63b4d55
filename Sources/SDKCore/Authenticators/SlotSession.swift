import OAuth

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
    let proof = try provider.tokens.map { (tokens) throws(SDKError) in try self.proof(of: tokens) }
    let credential = Credential(provider, dpop: proof ?? nil, now: environment.clock.now)
    return (credential, provider.user)
  }
}
