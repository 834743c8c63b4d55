import OAuth

/// The stored tokens of a profile's slots.
///
/// What changes a slot runs under the lock of that slot.
struct TokenSlots: SessionService {
  let environment: SessionEnvironment
  /// An access token from outside the store, which is used as the user's.
  let injected: InjectedToken?
  /// Takes the changes that the caller did not request.
  let notice: (@Sendable (SessionNotice) -> Void)?
  let contents = StoreMemory<CredentialSlot, SlotContent>()

  /// What a slot holds; `nil` when it is empty.
  ///
  /// An access token from outside the store is used as the user's; then the stored tokens of the
  /// user are not used. If `isRecent`, a file that was read within the last second is not read: not
  /// for what changes the slot.
  ///
  /// - Throws: ``SDKError``, with the command that clears a slot that cannot be read.
  func tokens(
    in slot: CredentialSlot, isRecent: Bool = false
  ) throws(SDKError) -> TokenSet? {
    if let injected, slot != .anonymous { return slot == .user ? injected.tokens : nil }
    return try stored(in: slot, isRecent: isRecent)
  }

  /// What the file of a slot holds; `nil` when it is empty.
  func stored(
    in slot: CredentialSlot, isRecent: Bool = false
  ) throws(SDKError) -> TokenSet? {
    switch try content(of: slot, isRecent: isRecent) {
    case .tokens(let tokens): return tokens
    case .cookies: throw noToken(slot)
    case .empty, .damaged: return nil
    }
  }

  /// What a request in that slot carries; `nil` when it is empty.
  ///
  /// If `isRecent`, without reading a file that was read within the last second.
  func provider(
    in slot: CredentialSlot, isRecent: Bool = false
  ) throws(SDKError) -> AuthorizationProvider? {
    if injected != nil, slot != .anonymous {
      return try tokens(in: slot).map { AuthorizationProvider($0) }
    }
    return try content(of: slot, isRecent: isRecent).provider
  }

  /// What the file of a slot holds, which is not damaged.
  private func content(
    of slot: CredentialSlot, isRecent: Bool
  ) throws(SDKError) -> SlotContent {
    let content =
      isRecent
      ? try contents.value(of: slot) {
        () throws(SDKError) in try file(slot).content()
      } : try file(slot).content()
    if let damage = content.damage { throw clearing(slot, after: damage) }
    return content
  }

  /// The login is a set of cookies, where a token is needed.
  private func noToken(_ slot: CredentialSlot) -> SDKError {
    SDKError(
      .unsupported, cause: "the login of '\(profile.name)' is a set of cookies, not a token",
      resource: .userNotAuthenticated, subject: profile.name.description, remedy: .cookieHeader)
  }

  /// An error of a slot that cannot be read, with the command that clears it.
  func clearing(_ slot: CredentialSlot, after error: SDKError) -> SDKError {
    SDKError(
      error.code, error.message, subject: profile.name.description,
      remedy: .eraseTokens(slot))
  }

  /// Puts tokens into a slot, in place of its content; reports if that could not be read.
  ///
  /// Runs under the lock of the slot.
  func replace(_ slot: CredentialSlot, with tokens: TokenSet) throws(SDKError) {
    try replace(slot, with: AuthorizationProvider(tokens))
  }

  /// The same for any kind of login.
  func replace(
    _ slot: CredentialSlot, with provider: AuthorizationProvider
  ) throws(SDKError) {
    let file = file(slot)
    if let damage = try file.content().damage {
      try file.remove()
      notice?(.damagedTokens(slot, damage.message))
    }
    try file.save(provider)
  }

  /// Puts the credential of a login into a slot, under its lock.
  func store(_ provider: AuthorizationProvider, in slot: CredentialSlot) async throws(SDKError) {
    try await environment.locked(.implicit) { () throws(SDKError) in
      guard slot != .implicit else { return try replace(slot, with: provider) }
      try await environment.locked(slot.lock) { () throws(SDKError) in
        // What was obtained in the name of the former user goes first: it must not outlive them.
        if slot == .user { _ = try erase(.implicit) }
        try replace(slot, with: provider)
      }
    }
  }

  /// Empties a slot, with what was derived from tokens; returns what was in it.
  ///
  /// Runs under the lock of the slot.
  func erase(_ slot: CredentialSlot) throws(SDKError) -> SlotContent {
    try DerivedCredentials(environment).erase()
    let content = try file(slot).content()
    guard content != .empty else { return content }
    try file(slot).remove()
    if let damage = content.damage {
      notice?(.damagedTokens(slot, damage.message))
    }
    return content
  }

  func file(_ slot: CredentialSlot) -> CredentialStore {
    CredentialStore(
      environment.location, profile.name, slot, issuer: profile.issuer?.text ?? "")
  }

  func notLoggedIn() -> SDKError {
    SDKError(
      .notAuthenticated, cause: "nobody is logged in to '\(profile.name)'",
      resource: .userNotAuthenticated, subject: profile.name.description, remedy: formRemedy)
  }

  func expired(_ cause: String, remedy: Remedy? = nil) -> SDKError {
    SDKError(
      .sessionExpired, "could not use the login of '\(profile.name)': \(cause)",
      resource: .userNotAuthenticated, subject: profile.name.description,
      remedy: remedy ?? formRemedy)
  }

  /// The login of a profile whose users log in on the provider's pages.
  private var formRemedy: Remedy? {
    guard profile.hasFormLogin, profile.reauthentication ?? .form == .form else { return nil }
    return .login(Remedy.Login(isByForm: true))
  }

  /// The tokens of the user in whose name an implicit token can be had.
  ///
  /// The user of a token from outside the store is not known.
  func implicitGrantor() throws(SDKError) -> TokenSet? {
    injected == nil ? try stored(in: .user) : nil
  }

  func noImplicitGrantor() -> SDKError {
    SDKError(
      .notAuthenticated,
      cause: injected.map { "\($0.source) is used as the user's token" }
        ?? "nobody is logged in to '\(profile.name)'",
      resource: .implicitNotAuthenticated, subject: profile.name.description)
  }
}
