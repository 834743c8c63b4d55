import OAuth
import POSIX

/// Obtains implicit tokens, which can do no more than the user's.
///
/// While the user's are sealed they are renewed with a refresh token of their own, if the server has
/// given one. The lock of the user's slot is taken inside its own.
struct ImplicitRenewal: CredentialRenewal {
  let tokens: TokenService

  var environment: SessionEnvironment { tokens.environment }
  var lock: ProfileLock { .implicit }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool { slot == .implicit }

  func require(_ credential: AuthorizationProvider?) async throws(SDKError) {
    _ = try await tokens.slots.requiredGrantor()
  }

  func prepare(_ credential: AuthorizationProvider?) async throws(SDKError) {
    try await tokens.slots.unseal(credential)
    if credential?.tokens?.isRefreshable != true {
      try await tokens.narrowing.prepare()
    }
    try await tokens.server.unseal()
  }

  func newCredential(
    for slot: OpenSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    let user = try await tokens.slots.requiredGrantor()
    let scope =
      demand.scope ?? slot.content.tokens?.scope ?? environment.profile.implicitScope
    return try await environment.uninterrupted { () async throws(SDKError) in
      let space = try await slot.file.proveWritable()
      if let renewed = try await refreshed(slot, scope, holding: space) {
        return try await tokens.slots.replace(.implicit, with: AuthorizationProvider(renewed))
      }
      let narrowed: TokenSet
      do throws(SDKError) {
        narrowed = try await tokens.narrowing.narrowed(
          user, Narrowing(scope: scope, remedy: .login(.init(.implicit))))
      } catch {
        guard error.asksForLogin else { throw error }
        throw error.with(error.code, resource: .implicitNotAuthenticated)
      }
      return try await tokens.slots.replace(.implicit, with: AuthorizationProvider(narrowed))
    }
  }

  /// What the refresh token of the slot itself brings; `nil` if it has none, or none for that scope.
  private func refreshed(
    _ slot: OpenSlot, _ scope: String?, holding space: StagedFile?
  ) async throws(SDKError) -> TokenSet? {
    guard let own = slot.content.tokens,
      let token = try tokens.slots.refreshToken(of: own, in: .implicit),
      TokenNarrowing.isCovered(scope, by: own.scope)
    else { return nil }
    var endpoint = try await tokens.server.tokenEndpoint(
      binding: own.isBound ? true : nil, insisting: own.isBound, presenting: own.endpoints)
    endpoint.serverClient.sendBefore = try await slot.presentation.confirm(token)
    let response: TokenResponse
    do throws(OAuthError) {
      defer { space?.discard() }
      response = try await endpoint.refresh(
        token, scope: Scope.words(scope) == Scope.words(own.scope) ? nil : scope,
        resources: own.resources)
    } catch {
      slot.presentation.note(error)
      guard error.invalidatesGrant else { throw SDKError(error) }
      try await forgetRefreshToken(slot, own)
      return nil
    }
    if response.refreshToken == nil { slot.presentation.noteRefusal() }
    guard TokenNarrowing.isCovered(response.scope, by: scope ?? own.scope) else {
      if let rotated = response.refreshToken {
        var kept = own
        kept.refreshToken = rotated
        try await slot.store(kept)
      }
      throw TokenNarrowing.tooWide
    }
    return TokenSet(response, requestedScope: scope, replacing: own, at: environment.now())
  }

  /// Forgets a refresh token that the server no longer accepts.
  private func forgetRefreshToken(_ slot: OpenSlot, _ own: TokenSet) async throws(SDKError) {
    var spent = own
    spent.refreshToken = nil
    try await slot.store(spent)
    guard try await tokens.slots.requiredGrantor().isSealed, !tokens.slots.seal.isOpen else {
      return
    }
    throw SDKError(
      .notAuthenticated, cause: "the server no longer accepts the implicit refresh token",
      resource: .implicitNotAuthenticated, subject: environment.profile.name.description,
      remedy: .login(.init(.implicit)))
  }
}

extension TokenService {
  /// Obtains an implicit token while the user's token can be used without the passcode, if the user's slot is
  /// sealed and the server exchanges tokens.
  func obtainImplicitAhead() async {
    guard (try? slots.seal.isSealed(.user)) == true,
      (try? await narrowing.offersTokenExchange()) == true
    else { return }
    // What fails now is reported when the token is needed.
    _ = try? await valid(for: .implicit)
  }
}
