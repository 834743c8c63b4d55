public import HTTP
import OAuth
import Primitives

struct LogoutFlow: Sendable {
  let tokens: TokenService

  var server: AuthorizationServer { tokens.server }
  var slots: TokenSlots { tokens.slots }
  var environment: SessionEnvironment { server.environment }
  var profile: Profile { environment.profile }

  func steps(
    emptying slot: CredentialSlot, isLocal: Bool
  ) async throws(SDKError) -> [LogoutStep] {
    let emptied: [CredentialSlot] = slot == .user ? [.implicit, .user] : [slot]
    var isEmpty = true
    for slot in emptied where try await !erasable(slot, isLocal).isEmpty { isEmpty = false }
    // Derived tokens may be those of the client alone, of which no slot holds anything.
    if isEmpty {
      try DerivedCredentials(environment).erase()
      return []
    }
    if !isLocal {
      for slot in emptied { try await unseal(slot) }
      try await unsealClient()
    }
    let erased = try await erase(emptied, isLocal)
    var steps: [LogoutStep] = []
    for (erasedSlot, content) in erased where !content.isEmpty {
      var own =
        await revoked(content, of: erasedSlot, isLocal) + [
          LogoutStep(action: .erase, outcome: .done)
        ]
      if let step = await ended(content, isLocal) { own.append(step) }
      for index in own.indices {
        if erasedSlot != slot { own[index].slot = erasedSlot }
        own[index].user = environment.user == .standard ? nil : environment.user
      }
      steps += own
    }
    return steps
  }

  /// Asks for the passcode of sealed tokens, without which they cannot be revoked; they are erased in any case.
  func unseal(_ slot: CredentialSlot) async throws(SDKError) {
    try await unsealing { () throws(SDKError) in try await slots.unseal(slot) }
  }

  func unsealClient() async throws(SDKError) {
    try await unsealing { () throws(SDKError) in try await server.records.openByPasscode() }
  }

  private func unsealing(_ body: () async throws(SDKError) -> Void) async throws(SDKError) {
    do throws(SDKError) { try await body() } catch {
      guard error.code == .notAuthenticated || error.isDamage else { throw error }
    }
  }

  /// Empties slots under all their locks, the last one first; returns what was in each.
  private func erase(
    _ emptied: [CredentialSlot], _ isLocal: Bool
  ) async throws(SDKError) -> [(CredentialSlot, SlotContent)] {
    guard let first = emptied.first else { return [] }
    return try await environment.locked(first.lock) { () async throws(SDKError) in
      // Decided again under the lock, and before anything is erased.
      _ = try await erasable(first, isLocal)
      let others = try await erase(Array(emptied.dropFirst()), isLocal)
      let content = try await slots.erase(first)
      return [(first, content)] + others
    }
  }

  private func erasable(
    _ slot: CredentialSlot, _ isLocal: Bool
  ) async throws(SDKError) -> SlotContent {
    let content = try await slots.file(slot).content()
    // What cannot be read cannot be revoked either: the person decides, and may mend it before.
    if !isLocal, let damage = content.damage { throw slots.clearing(slot, after: damage) }
    return content
  }

  private func revoked(
    _ content: SlotContent, of slot: CredentialSlot, _ isLocal: Bool
  ) async -> [LogoutStep] {
    if let damage = content.damage {
      return [LogoutStep.Action.revokeRefreshToken, .revokeAccessToken].map {
        LogoutStep(action: $0, outcome: .skipped("the tokens are damaged (\(damage.message))"))
      }
    }
    guard let provider = content.provider, !provider.isOutsideOAuth, let tokens = provider.tokens
    else { return [] }
    guard !isLocal else {
      return tokens.revocable(tokens.isRefreshable ? "" : nil).map {
        LogoutStep(action: $0.0, outcome: .skippedAsLocal)
      }
    }
    do throws(SDKError) {
      let token = try slots.refreshToken(of: tokens, in: slot)
      return await revoked(tokens.revocable(token), of: tokens)
    } catch {
      let action = LogoutStep.Action.revokeRefreshToken
      let failure = error.during("could not \(action.words)")
      return [LogoutStep(action: action, outcome: .failed(failure))]
        + (await revoked(tokens.revocable(nil), of: tokens))
    }
  }

  /// The end of the session at the provider; `nil` if nothing ends it there.
  private func ended(_ content: SlotContent, _ isLocal: Bool) async -> LogoutStep? {
    guard let provider = content.provider,
      let end = tokens.renewals.lazy.compactMap({ $0.end(of: provider) }).first
    else { return nil }
    guard !isLocal else { return LogoutStep(action: .endSession, outcome: .skippedAsLocal) }
    return await Self.step(.endSession) { try await end() }
  }

  func revokedAccess(_ tokens: TokenSet, _ isLocal: Bool) async -> [LogoutStep] {
    let values = tokens.revocable(nil)
    guard isLocal else { return await revoked(values, of: tokens) }
    return values.map { LogoutStep(action: $0.0, outcome: .skippedAsLocal) }
  }

  private func revoked(_ values: [Revocable], of tokens: TokenSet?) async -> [LogoutStep] {
    let revocation: (endpoint: HTTPURL, client: ClientAuthentication)?
    do {
      revocation = try await self.revocation(of: tokens)
    } catch {
      let reason = error.during("could not revoke a token")
      return values.map { LogoutStep(action: $0.0, outcome: .failed(reason)) }
    }
    var steps: [LogoutStep] = []
    for (action, value, hint) in values {
      guard let revocation else {
        steps.append(
          LogoutStep(
            action: action,
            outcome: .skipped("the server offers no revocation, so it stays valid until it expires")
          ))
        continue
      }
      steps.append(
        await Self.step(action) {
          try await environment.serverClient().revoke(
            value, hint: hint, at: revocation.endpoint, as: revocation.client)
        })
    }
    return steps
  }

  private static func step(
    _ action: LogoutStep.Action, _ body: () async throws -> Void
  ) async -> LogoutStep {
    do {
      try await body()
      return LogoutStep(action: action, outcome: .done)
    } catch {
      let reason = SDKError(error, "could not \(action.words)")
      return LogoutStep(action: action, outcome: .failed(reason))
    }
  }

  /// Where a token is revoked, and who does it; `nil` if the server offers no revocation.
  func revocation(
    of tokens: TokenSet?
  ) async throws(SDKError) -> (endpoint: HTTPURL, client: ClientAuthentication)? {
    let registration = try await server.records.required()
    let metadata = try await server.metadata(offering: .revocation)
    let client = try await server.client(
      registration, at: metadata, for: [.revocation], presenting: tokens?.endpoints)
    return try attempt("could not find the revocation endpoint") {
      try metadata.url(of: .revocation).map { ($0, client.at(.revocation, of: metadata)) }
    }
  }
}

private typealias Revocable = (LogoutStep.Action, String, TokenHint)

extension TokenSet {
  fileprivate func revocable(_ refreshToken: String?) -> [Revocable] {
    var values: [Revocable] =
      accessToken.isEmpty ? [] : [(.revokeAccessToken, accessToken, .access)]
    if let refreshToken { values.insert((.revokeRefreshToken, refreshToken, .refresh), at: 0) }
    return values
  }
}

extension LoginService {
  /// Revokes the tokens of a slot (RFC 7009) and erases them, whatever the server says.
  ///
  /// They are erased first, so that no process uses them, or obtains others with them, while the
  /// server is asked. The refresh token is revoked first: with it a server ends the whole grant.
  /// The implicit token of the user is erased too.
  ///
  /// - Returns: each step with its outcome; none when the slot was empty.
  /// - Throws: ``SDKError`` when the store cannot be read or erased.
  public func logOut(
    _ slot: CredentialSlot, isLocal: Bool = false
  ) async throws(SDKError) -> [LogoutStep] {
    try await LogoutFlow(tokens: tokens).steps(emptying: slot, isLocal: isLocal)
  }

  /// Ends the use of a sealed login until the passcode is entered: revokes and erases its access token.
  ///
  /// The implicit token of the user stays too. A server may end the whole grant with the access token
  /// (RFC 7009 section 2.1); then the next use needs a login.
  ///
  /// - Returns: each step with its outcome; none when there was no access token.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the refresh token of the slot is not sealed; errors of the
  ///   store.
  public func logOutKeepingSealed(
    _ slot: CredentialSlot, isLocal: Bool = false
  ) async throws(SDKError) -> [LogoutStep] {
    try await LogoutFlow(tokens: tokens).keeping(slot, isLocal: isLocal)
  }

  /// Where a browser ends the user's session at the server (OpenID Connect RP-Initiated Logout).
  ///
  /// It names the client and not the ID token (`id_token_hint`), because the address is seen in
  /// argument lists and in the browser's history. Without that hint the server asks the person
  /// before it ends anything, and sends the browser nowhere afterwards.
  ///
  /// - Throws: ``SDKError``: `unsupported` if the server has no such endpoint.
  public func endSessionURL() async throws(SDKError) -> HTTPURL {
    let action = "could not end the session at the server"
    let clientID = try await records.required().clientID
    let metadata = try await server.metadata()
    let url = try attempt(action) {
      try metadata.required(.endSession).adding(["client_id": clientID])
    }
    try await verifyBrowserTarget(url, action)
    return url
  }
}

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
