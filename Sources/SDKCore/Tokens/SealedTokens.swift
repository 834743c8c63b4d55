/// The use of refresh tokens that are sealed.
extension TokenSlots {
  /// Asks for the PIN if the tokens of a slot are sealed; not under a lock.
  ///
  /// - Throws: ``SDKError``: `sessionExpired` after too many wrong PINs, when what is sealed has been
  ///   erased; `policy` if no PIN is accepted now; `notAuthenticated` if nobody can be asked.
  func unseal(_ slot: CredentialSlot) async throws(SDKError) {
    guard try await file(slot).content(.local).tokens?.isSealed == true else { return }
    try await open()
  }

  /// The same, whatever is sealed.
  func open() async throws(SDKError) {
    do throws(SDKError) {
      try await seal.open()
    } catch {
      guard try seal.isLockedOut() else { throw error }
      try await eraseSealed()
      throw SDKError(
        .sessionExpired,
        "could not open the login of '\(profile.name)': it was erased after too many wrong PINs",
        resource: .userDeregistered, subject: profile.name.description, remedy: .login)
    }
  }

  /// Chooses the PIN before a login, if the profile requires that its tokens are sealed.
  ///
  /// - Throws: ``SDKError`` if nobody chooses one; `invalidConfiguration` if `seal.slots` names no slot.
  func requireSeal() async throws(SDKError) {
    var required: Set<CredentialSlot> = []
    for name in profile.sealSlots {
      guard let slot = CredentialSlot(rawValue: name) else {
        throw SDKError(
          .invalidConfiguration,
          "could not use 'seal.slots' of '\(profile.name)': '\(name)' is no slot",
          subject: profile.name.description)
      }
      required.insert(slot)
    }
    guard !required.isEmpty else { return }
    if try seal.isLockedOut() { try await eraseSealed() }
    guard try !seal.read().slots.isSuperset(of: required) else { return }
    try await attempt("could not seal '\(profile.name)'") {
      try await seal.add(required, asking: nil)
    }
  }

  /// The refresh token of stored tokens, which was unsealed before; `nil` if they have none.
  func refreshToken(of tokens: TokenSet, in slot: CredentialSlot) throws(SDKError) -> String? {
    switch tokens.renewal {
    case .open(let token): token
    case .sealed(let sealed): try seal.opened(sealed, of: slot)
    case .elsewhere, nil: nil
    }
  }

  /// Erases what too many wrong PINs have closed for good, with the implicit token of the user.
  func eraseSealed() async throws(SDKError) {
    var sealed = try seal.read().slots
    if sealed.contains(.user) { sealed.insert(.implicit) }
    for slot in [CredentialSlot.implicit, .user, .anonymous] where sealed.contains(slot) {
      try await environment.locked(slot.lock) { () throws(SDKError) in _ = try await erase(slot) }
    }
    try await seal.remove()
  }
}

/// The seal of a profile's tokens: a PIN without which no refresh token can be used.
///
/// A valid access token stays usable until it expires. Requests of the `implicit` slot go on working
/// while the user's is sealed, if the server gives it a refresh token of its own.
public struct SealService: Sendable {
  let tokens: TokenService
  private var slots: TokenSlots { tokens.slots }
  private var seal: SlotSeal { slots.seal }

  /// The slots that are sealed.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` or ``SDKError/Code/store`` if the file is damaged.
  public func sealedSlots() throws(SDKError) -> [CredentialSlot] {
    let sealed = try seal.read().slots
    return CredentialSlot.allCases.filter(sealed.contains)
  }

  /// Whether a PIN can be entered, and how often; it waits for a process that tries one.
  ///
  /// - Throws: ``SDKError/Code/busy`` if the lock is not free in time; errors of the store.
  public func pinStatus() async throws(SDKError) -> PINStatus { try await seal.settledStatus() }

  /// Which PINs may be chosen.
  public var policy: PINPolicy { slots.profile.sealPINPolicy }

  /// Seals slots: refresh tokens that are stored, and those of logins to come.
  ///
  /// - Parameters:
  ///   - slots: which.
  ///   - entry: chooses the PIN if the profile has none; `nil` for that of the session.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the PIN; errors of the entry
  ///   and the store.
  public func seal(
    _ slots: Set<CredentialSlot>, asking entry: (any PINEntry)? = nil
  ) async throws(SDKError) {
    try await attempt("could not seal '\(self.slots.profile.name)'") {
      try await seal.add(slots, asking: entry)
      try await rewrite(slots) { (file, tokens, _) async throws(SDKError) in
        if tokens.refreshToken != nil { try await file.save(tokens) }
      }
      await tokens.obtainImplicitAhead()
    }
  }

  /// Stores all refresh tokens unencrypted, and forgets the PIN.
  ///
  /// - Throws: ``SDKError`` as for the use of a sealed login.
  public func unseal() async throws(SDKError) {
    try await attempt("could not unseal '\(slots.profile.name)'") {
      let sealed = Set(try sealedSlots())
      guard !sealed.isEmpty else { return }
      try await slots.open()
      try await rewrite(sealed) { [slots] (file, tokens, slot) async throws(SDKError) in
        var tokens = tokens
        tokens.refreshToken = try slots.refreshToken(of: tokens, in: slot)
        try await file.saveUnsealed(tokens)
      }
      try await seal.remove()
    }
  }

  /// Changes the PIN.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the new one, before the old
  ///   one is tried; ``SDKError/Code/wrongPIN``; ``SDKError/Code/policy`` if no PIN is accepted now.
  public func changePIN(from old: [UInt8], to new: [UInt8]) async throws(SDKError) {
    try await attempt("could not change the PIN of '\(slots.profile.name)'") {
      try await seal.changePIN(from: old, to: new)
    }
  }

  /// Runs the body with the tokens of each slot, under its lock.
  private func rewrite(
    _ sealed: Set<CredentialSlot>,
    _ body: @Sendable (CredentialStore, TokenSet, CredentialSlot) async throws(SDKError) -> Void
  ) async throws(SDKError) {
    for slot in CredentialSlot.allCases where sealed.contains(slot) {
      try await slots.environment.locked(slot.lock) { () throws(SDKError) in
        let file = slots.file(slot)
        if let tokens = try await file.content().tokens { try await body(file, tokens, slot) }
      }
    }
  }
}
