/// The seal of a user: a passcode without which no sealed secret can be used.
///
/// A valid access token stays usable until it expires, unless it is bound to a sealed key. Requests of the
/// `implicit` slot go on working while the user's is sealed, if the server gives it a refresh token of its
/// own, and the client is not sealed too.
public struct SealService: Sendable {
  let tokens: TokenService
  private var slots: TokenSlots { tokens.slots }
  private var seal: SlotSeal { slots.seal }

  /// The slots whose refresh tokens are sealed.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` or ``SDKError/Code/store`` if the file is damaged.
  public func sealedSlots() throws(SDKError) -> [CredentialSlot] {
    let sealed = try seal.read().slots
    return CredentialSlot.allCases.filter(sealed.contains)
  }

  /// The other secrets that are sealed under the passcode of the user.
  ///
  /// - Throws: as ``sealedSlots()``.
  public func sealedKinds() throws(SDKError) -> [SealedKind] {
    let sealed = try seal.read().kinds
    return SealedKind.allCases.filter(sealed.contains)
  }

  /// Whether the user has chosen a passcode.
  ///
  /// - Throws: as ``sealedSlots()``.
  public func hasPasscode() throws(SDKError) -> Bool { try seal.read().passcode != nil }

  /// Whether a passcode can be entered, and how often; it waits for a process that tries one.
  ///
  /// - Throws: ``SDKError/Code/busy`` if the lock is not free in time; errors of the store.
  public func passcodeStatus() async throws(SDKError) -> PasscodeStatus {
    try await seal.settledStatus()
  }

  /// Which passcodes may be chosen.
  public var policy: PasscodePolicy { slots.profile.sealPasscodePolicy }

  /// Seals secrets: those that are stored, and those to come.
  ///
  /// - Parameters:
  ///   - sealed: the slots whose refresh tokens are sealed.
  ///   - kinds: the other secrets; the first user's passcode seals those of the profile.
  ///   - entry: chooses the passcode if there is none; `nil` for that of the session.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the passcode, or for secrets of the
  ///   profile in a session of another user; errors of the entry and the store.
  public func seal(
    _ sealed: Set<CredentialSlot>, _ kinds: Set<SealedKind> = [],
    asking entry: (any PasscodeEntry)? = nil
  ) async throws(SDKError) {
    try await attempt("could not seal '\(slots.profile.name)'") {
      if let kind = kinds.first(where: \.isOfProfile), slots.environment.user != .standard {
        throw SDKError(
          .invalidRequest,
          cause:
            "'\(kind.rawValue)' belongs to all users: the passcode of '\(UserID.standard)' seals it"
        )
      }
      try await seal.add(sealed, kinds, asking: entry)
      try await rewrite(sealed, kinds)
      await tokens.obtainImplicitAhead()
    }
  }

  /// Stores all secrets unencrypted, and forgets the passcode.
  ///
  /// - Throws: ``SDKError`` as for the use of a sealed login.
  public func unseal() async throws(SDKError) {
    try await attempt("could not unseal '\(slots.profile.name)'") {
      guard try hasPasscode() else { return }
      try await seal.open()
      // From now on nobody encrypts to the key, which is removed only after its last use.
      try await seal.stop()
      try await rewrite(Set(CredentialSlot.allCases), Set(SealedKind.allCases))
      try await seal.remove()
    }
  }

  /// Changes the passcode.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the new one, before the old
  ///   one is tried; ``SDKError/Code/wrongPasscode``; ``SDKError/Code/policy`` if no passcode is accepted now.
  public func changePasscode(from old: [UInt8], to new: [UInt8]) async throws(SDKError) {
    try await attempt("could not change the passcode of '\(slots.profile.name)'") {
      try await seal.changePasscode(from: old, to: new)
    }
  }

  /// Writes stored secrets once more, as the seal is now: a kill leaves each as it was or as it is to be.
  private func rewrite(
    _ sealed: Set<CredentialSlot>, _ kinds: Set<SealedKind>
  ) async throws(SDKError) {
    let environment = slots.environment
    if kinds.contains(.client), environment.user == .standard {
      try await environment.locked(.registration) { () throws(SDKError) in
        try await tokens.records.file.rewrite()
      }
    }
    for slot in [CredentialSlot.implicit, .user, .anonymous] where sealed.contains(slot) {
      try await environment.locked(slot.lock) { () throws(SDKError) in try await slots.rewrite(slot)
      }
    }
    if kinds.contains(.dpop) {
      try await environment.locked(.dpop) { () throws(SDKError) in
        try await tokens.server.dpop.rewrite()
      }
    }
    if kinds.contains(where: \.isOfProfile), environment.user == .standard {
      try await environment.locked(.identities) { () throws(SDKError) in
        try IdentityFiles(location: environment.location, profile: slots.profile.name)
          .rewriteKeys(with: seal)
      }
    }
  }
}

extension TokenSlots {
  /// Writes the tokens of a slot once more, as the seal is now; under the lock of the slot.
  fileprivate func rewrite(_ slot: CredentialSlot) async throws(SDKError) {
    let file = file(slot)
    guard var tokens = try await file.content().tokens else { return }
    // While the seal is closed, what is sealed stays as it is.
    guard !tokens.isSealed || seal.isOpen else { return }
    guard let token = try refreshToken(of: tokens, in: slot) else { return }
    tokens.refreshToken = token
    try await file.save(tokens)
  }
}
