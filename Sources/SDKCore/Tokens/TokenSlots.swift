import JSON
import OAuth

/// The stored tokens of a profile's slots; what changes a slot runs under its lock.
package struct TokenSlots: Sendable {
  let seal: UserSeal
  /// An access token from outside the store, which is used as the user's.
  let injected: InjectedToken?
  let notice: (@Sendable (SessionNotice) -> Void)?
  let contents = StoreMemory<CredentialSlot, SlotContent>()

  package var environment: SessionEnvironment { seal.environment }
  package var profile: Profile { environment.profile }

  /// The tokens that a slot holds; `nil` when it is empty.
  ///
  /// An access token from outside the store is used as the user's; then the stored tokens of the user are not used.
  func tokens(in slot: CredentialSlot) async throws(SDKError) -> TokenSet? {
    try await tokens(of: try provider(in: slot))
  }

  /// What the file of a slot holds; `nil` when it is empty.
  func stored(in slot: CredentialSlot) async throws(SDKError) -> TokenSet? {
    try await tokens(of: try content(of: slot, isRecent: false).provider)
  }

  /// Runs the body under a lock, with what the slot holds then.
  ///
  /// `done` gets the same first, and again when another machine has changed it; a value ends the wait.
  func opening<Value: Sendable>(
    _ slot: CredentialSlot, under lock: ProfileLock? = nil,
    unless done: (SlotContent) async throws(SDKError) -> Value? = {
      (_) async throws(SDKError) -> Value? in nil
    },
    _ body: (OpenSlot) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let file = file(slot)
    var content = SlotContent()
    return try await environment.locked(
      lock ?? slot.lock,
      unless: { () async throws(SDKError) in
        content = try await file.content()
        return try await done(content)
      }
    ) { (presentation) async throws(SDKError) in
      try await body(OpenSlot(file, content, presentation))
    }
  }

  private func tokens(of provider: AuthorizationProvider?) throws(SDKError) -> TokenSet? {
    if case .cookies = provider { throw noToken() }
    return provider?.tokens
  }

  /// What a request in that slot carries; `nil` when it is empty.
  ///
  /// If `isRecent`, without reading a file that was read within the last second: not for what changes the slot.
  func provider(
    in slot: CredentialSlot, isRecent: Bool = false
  ) async throws(SDKError) -> AuthorizationProvider? {
    if let injected, slot != .anonymous {
      return slot == .user ? AuthorizationProvider(injected.tokens) : nil
    }
    return try await content(of: slot, isRecent: isRecent).provider
  }

  /// What the file of a slot holds, which is not damaged.
  private func content(
    of slot: CredentialSlot, isRecent: Bool
  ) async throws(SDKError) -> SlotContent {
    let content = try await isRecent ? recent(slot) : file(slot).content()
    if let damage = content.damage { throw clearing(slot, after: damage) }
    return content
  }

  /// What the file of a slot held within the last second.
  func recent(_ slot: CredentialSlot) async throws(SDKError) -> SlotContent {
    try await contents.value(of: slot) { () async throws(SDKError) in
      try await file(slot).content()
    }
  }

  /// The login is a set of cookies, where a token is needed.
  func noToken() -> SDKError {
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

  /// Puts a credential into a slot, whose lock is held, and returns it; reports if the former one could not be read.
  @discardableResult
  func replace(
    _ slot: CredentialSlot, with provider: AuthorizationProvider
  ) async throws(SDKError) -> AuthorizationProvider {
    let file = file(slot)
    let content = try await file.content()
    if let damage = content.damage {
      try await file.remove()
      notice?(.damagedTokens(slot, damage.message))
    }
    try await file.save(provider, over: content.document)
    return provider
  }

  /// Changes the tokens of a slot under its lock, if they are those that are meant.
  ///
  /// Compares under the lock: a token that took its place stays as it is.
  ///
  /// - Returns: whether they were.
  func change(
    _ slot: CredentialSlot, if isMeant: @Sendable (TokenSet) -> Bool,
    _ change: @Sendable (inout TokenSet) -> Void
  ) async throws(SDKError) -> Bool {
    guard let tokens = try await stored(in: slot), isMeant(tokens) else { return false }
    return try await opening(slot) { (open) async throws(SDKError) in
      guard var tokens = open.content.tokens, isMeant(tokens) else { return false }
      change(&tokens)
      try await open.store(tokens)
      return true
    }
  }

  package func store(
    _ provider: AuthorizationProvider, in slot: CredentialSlot
  ) async throws(SDKError) {
    try await seal.eraseIfLockedOut()
    try await environment.locked(.implicit, mustRun: true) { () throws(SDKError) in
      guard slot != .implicit else {
        try await replace(slot, with: provider)
        return
      }
      try await environment.locked(slot.lock, mustRun: true) { () throws(SDKError) in
        // What was obtained in the name of the former user goes first: it must not outlive them.
        if slot == .user { _ = try await erase(.implicit) }
        try await replace(slot, with: provider)
      }
    }
  }

  /// Empties a slot, whose lock is held, with what was derived from tokens; returns what was in it.
  func erase(_ slot: CredentialSlot) async throws(SDKError) -> SlotContent {
    try DerivedCredentials(environment).erase()
    let content = try await file(slot).content()
    guard !content.isEmpty else { return content }
    try await file(slot).remove()
    if let damage = content.damage {
      notice?(.damagedTokens(slot, damage.message))
    }
    return content
  }

  package func file(_ slot: CredentialSlot) -> CredentialStore {
    CredentialStore(
      environment.secrets, slot, issuer: profile.issuer?.text ?? "", seal: seal)
  }

  func notLoggedIn() -> SDKError {
    SDKError(
      .notAuthenticated, cause: environment.nobody, resource: .userNotAuthenticated,
      subject: profile.name.description, remedy: sessionRemedy)
  }

  package func expired(_ cause: String, remedy: Remedy? = nil) -> SDKError {
    SDKError(
      .sessionExpired, "could not use the login of '\(profile.name)': \(cause)",
      resource: .userNotAuthenticated, subject: profile.name.description,
      remedy: remedy ?? sessionRemedy)
  }

  /// The login of a profile whose users do not log in by OAuth.
  private var sessionRemedy: Remedy? {
    let means = profile.loginMeans
    return means == .browser ? nil : .login(.init(by: means))
  }

  /// The tokens of the user in whose name an implicit token can be had.
  ///
  /// The user of a token from outside the store is not known.
  func implicitGrantor() async throws(SDKError) -> TokenSet? {
    await injected == nil ? try stored(in: .user) : nil
  }

  /// The same; it must be known.
  func requiredGrantor() async throws(SDKError) -> TokenSet {
    guard let user = try await implicitGrantor() else { throw noImplicitGrantor() }
    return user
  }

  func noImplicitGrantor() -> SDKError {
    SDKError(
      .notAuthenticated,
      cause: injected.map { "\($0.source) is used as the user's token" }
        ?? environment.nobody,
      resource: .implicitNotAuthenticated, subject: profile.name.description)
  }
}

extension TokenSlots {
  /// Asks for the passcode if the tokens of a slot are sealed; not under a lock.
  func unseal(_ slot: CredentialSlot) async throws(SDKError) {
    try await unseal(try await file(slot).content().provider)
  }

  func unseal(_ credential: AuthorizationProvider?) async throws(SDKError) {
    if credential?.tokens?.isSealed == true { try await seal.open() }
  }

  /// Chooses the passcode before a login, if the profile requires that its tokens are sealed.
  func requireSeal() async throws(SDKError) {
    let required = Set(profile.sealSlots.map { SealedPart($0) })
    try await seal.eraseIfLockedOut()
    guard try !seal.read().parts.isSuperset(of: required) else { return }
    try await attempt("could not seal '\(profile.name)'") {
      try await seal.add(required, asking: nil)
    }
  }

  /// The refresh token of stored tokens, which was unsealed before; `nil` if they have none.
  func refreshToken(of tokens: TokenSet, in slot: CredentialSlot) throws(SDKError) -> String? {
    guard let sealed = tokens.sealedToken else { return tokens.refreshToken }
    return try seal.unsealed(sealed, "refreshToken", of: .tokens(slot)).string
  }
}
