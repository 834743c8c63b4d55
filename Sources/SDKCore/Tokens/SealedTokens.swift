import JSON

/// The use of refresh tokens that are sealed.
extension TokenSlots {
  /// Asks for the passcode if the tokens of a slot are sealed; not under a lock.
  ///
  /// - Throws: ``SDKError``: `sessionExpired` after too many wrong passcodes, when what is sealed has been
  ///   erased; `policy` if no passcode is accepted now; `notAuthenticated` if nobody can be asked.
  func unseal(_ slot: CredentialSlot) async throws(SDKError) {
    try await unseal(try await file(slot).content().provider)
  }

  /// The same for what a slot holds.
  func unseal(_ credential: AuthorizationProvider?) async throws(SDKError) {
    if credential?.tokens?.isSealed == true { try await seal.open() }
  }

  /// Chooses the passcode before a login, if the profile requires that its tokens are sealed.
  ///
  /// - Throws: ``SDKError`` if nobody chooses one; `invalidConfiguration` if `seal.slots` names no slot.
  func requireSeal() async throws(SDKError) {
    var required: Set<SealedPart> = []
    for name in profile.sealSlots {
      guard let slot = CredentialSlot(rawValue: name) else {
        throw SDKError(
          .invalidConfiguration,
          "could not use 'seal.slots' of '\(profile.name)': '\(name)' is no slot",
          subject: profile.name.description)
      }
      required.insert(SealedPart(slot))
    }
    guard !required.isEmpty else { return }
    try await seal.eraseIfLockedOut()
    guard try !seal.read().parts.isSuperset(of: required) else { return }
    try await attempt("could not seal '\(profile.name)'") {
      try await seal.add(required, asking: nil)
    }
  }

  /// The refresh token of stored tokens, which was unsealed before; `nil` if they have none.
  func refreshToken(of tokens: TokenSet, in slot: CredentialSlot) throws(SDKError) -> String? {
    guard let sealed = tokens.sealedToken else { return tokens.refreshToken }
    return try seal.opened(sealed, "refreshToken", of: .tokens(slot)).string
  }
}
