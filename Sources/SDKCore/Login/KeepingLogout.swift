import Primitives

/// The logout that keeps a sealed login, as the SDKs of the vendors log out.
extension LogoutFlow {
  /// Revokes and erases the access token of a slot; its sealed refresh token stays.
  func keeping(_ slot: CredentialSlot, isLocal: Bool) async throws(SDKError) -> [LogoutStep] {
    guard let stored = try await slots.stored(in: slot) else { return [] }
    try requireSealed(stored)
    if !isLocal { try await unsealClient() }
    let tokens = try await environment.locked(slot.lock) { () throws(SDKError) in
      guard let tokens = try await slots.stored(in: slot) else { return stored }
      try requireSealed(tokens)
      try DerivedCredentials(environment).erase()
      try await slots.file(slot).save(tokens.withoutAccessToken)
      return tokens
    }
    guard tokens.hasAccessToken else { return [] }
    return await revokedAccess(tokens, isLocal) + [
      LogoutStep(action: .eraseAccessToken, outcome: .done)
    ]
  }

  private func requireSealed(_ tokens: TokenSet) throws(SDKError) {
    guard !tokens.isSealed else { return }
    throw SDKError(
      .invalidRequest,
      "could not keep the login of '\(profile.name)': its refresh token is not sealed",
      subject: profile.name.description)
  }
}

extension TokenSet {
  /// The login alone, which has to be renewed before it can be used.
  fileprivate var withoutAccessToken: TokenSet {
    var tokens = self
    (tokens.accessToken, tokens.expires) = ("", nil)
    return tokens
  }
}
