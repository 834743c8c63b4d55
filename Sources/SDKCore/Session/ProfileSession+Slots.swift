import OAuth

extension ProfileSession {
  /// What a slot holds; `nil` when it is empty.
  ///
  /// An access token from outside the store stands for the user: what the store holds for its own
  /// user is not used beside it.
  ///
  /// - Throws: ``SDKError``, with the command that clears a slot that cannot be read.
  public func tokens(in slot: CredentialSlot) throws(SDKError) -> TokenSet? {
    if let injectedToken, slot != .device {
      guard slot == .user else { return nil }
      return TokenSet(
        accessToken: injectedToken, expires: nil, scope: nil, refreshToken: nil, idToken: nil,
        obtained: now())
    }
    return try storedTokens(in: slot)
  }

  /// What the file of a slot holds; `nil` when it is empty.
  func storedTokens(in slot: CredentialSlot) throws(SDKError) -> TokenSet? {
    switch try credentials(slot).content() {
    case .empty: return nil
    case .tokens(let tokens): return tokens
    case .damaged(let error): throw clearing(slot, after: error)
    }
  }

  /// An error of a slot that cannot be read, with the command that clears it.
  func clearing(_ slot: CredentialSlot, after error: SDKError) -> SDKError {
    SDKError(
      error.code, error.message, subject: profile.name.description,
      remedy: .eraseTokens(slot))
  }

  /// Puts tokens into a slot, over whatever it holds; tells if that could not be read.
  ///
  /// Runs under the lock of the slot.
  func replace(_ slot: CredentialSlot, with tokens: TokenSet) throws(SDKError) {
    let store = credentials(slot)
    if let damage = try store.content().damage {
      try store.remove()
      options.noticeReport?(.damagedTokens(slot, damage.message))
    }
    try store.save(tokens)
  }

  /// Empties a slot; returns what was in it.
  ///
  /// Runs under the lock of the slot.
  func erase(_ slot: CredentialSlot) throws(SDKError) -> SlotContent {
    let content = try credentials(slot).content()
    guard content != .empty else { return content }
    try credentials(slot).remove()
    if let damage = content.damage {
      options.noticeReport?(.damagedTokens(slot, damage.message))
    }
    return content
  }

  func credentials(_ slot: CredentialSlot) -> CredentialStore {
    CredentialStore(
      store.location, profile.name, slot, issuer: profile.issuer?.text ?? "")
  }
}
