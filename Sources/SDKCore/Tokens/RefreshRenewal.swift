import HTTP
import OAuth
import POSIX
import Primitives

struct RefreshRenewal: CredentialRenewal {
  let server: AuthorizationServer
  let slots: TokenSlots

  var environment: SessionEnvironment { server.environment }
  var profile: Profile { environment.profile }
  var lock: ProfileLock { .user }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool { slot == .user && way == .refresh && credential?.isOutsideOAuth != true }

  func require(_ credential: AuthorizationProvider?) throws(SDKError) {
    if let injected = slots.injected { throw refusal(of: injected) }
    guard let tokens = credential?.tokens else { throw slots.notLoggedIn() }
    guard tokens.isRefreshable else {
      let remedy =
        tokens.endReason == nil ? server.remedy(forMissingRefreshTokenOf: tokens) : nil
      throw slots.expired(cause(ofEnd: tokens), remedy: remedy)
    }
  }

  func prepare(_ credential: AuthorizationProvider?) async throws(SDKError) {
    try await slots.unseal(credential)
    try await server.unseal()
  }

  /// Refreshes the tokens of the user, and stores them before they are used.
  func newCredential(
    for slot: OpenSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    guard let tokens = slot.content.tokens else { throw slots.notLoggedIn() }
    return try await environment.uninterrupted { () async throws(SDKError) in
      switch try await refreshing(slot, tokens, scope: nil) {
      case .changed(let current): AuthorizationProvider(current)
      case .response(let response):
        AuthorizationProvider(try await stored(response, in: slot, replacing: tokens))
      }
    }
  }

  private func stored(
    _ response: TokenResponse, in slot: OpenSlot, replacing tokens: TokenSet
  ) async throws(SDKError) -> TokenSet {
    var renewed = TokenSet(response, replacing: tokens, at: environment.now())
    let granted = tokens.loginScope ?? tokens.scope
    let missing = Scope.missing(in: renewed.scope, of: granted)
    renewed.loginScope = missing.isEmpty ? nil : granted
    // The keys of an ID token may have to be fetched, and the refresh token must not be lost meanwhile.
    let known = response.idToken == nil ? nil : await server.knownMetadata()
    let isStored = !server.hasKeys(of: known)
    if isStored { try await slot.store(renewed) }
    let idToken = await server.verifiedIDToken(of: response, from: known)
    if let idToken { renewed.idToken = idToken }
    if !isStored || idToken != nil { try await slot.store(renewed) }
    if !missing.isEmpty { slots.notice?(.scopeLost(missing)) }
    return renewed
  }

  enum Refresh {
    case response(TokenResponse)
    /// It was invalid, but another process had stored other tokens.
    case changed(TokenSet)
  }

  func refreshing(
    _ slot: OpenSlot, _ tokens: TokenSet, scope: String?
  ) async throws(SDKError) -> Refresh {
    try await attempt("could not refresh the token of '\(profile.name)'") {
      try await present(slot, tokens, scope)
    }
  }

  private func present(
    _ slot: OpenSlot, _ tokens: TokenSet, _ scope: String?
  ) async throws(SDKError) -> Refresh {
    guard let refreshToken = try slots.refreshToken(of: tokens, in: .user) else {
      throw slots.expired("it expired and cannot be refreshed")
    }
    var endpoint = try await server.tokenEndpoint(
      binding: tokens.isBound ? true : nil, insisting: tokens.isBound, presenting: tokens.endpoints)
    let space = try await slot.file.proveWritable()
    endpoint.serverClient.sendBefore = try await slot.presentation.confirm(refreshToken)
    let response: TokenResponse
    do {
      // Until then another program may fill the disk, and the server has spent the old token.
      defer { space?.discard() }
      response = try await endpoint.refresh(
        refreshToken, scope: scope, resources: tokens.resources)
    } catch {
      slot.presentation.note(error)
      if error.server?.number == ResourceError.userDeregistered.number {
        throw try await afterDeregistration(error)
      }
      if error.mayMeanRefreshToken {
        throw try await afterRefusal(of: refreshToken, in: slot, error)
      }
      guard error.invalidatesGrant else { throw SDKError(error) }
      return .changed(try await afterInvalidGrant(refreshToken, in: slot, error))
    }
    try await server.requireSameUser(response, as: tokens.idToken)
    return .response(response)
  }

  /// The server gives no clear reason, so that the refresh token is kept, and tried again by the next command; but
  /// nobody is told that it can be used.
  private func afterRefusal(
    of refreshToken: String, in slot: OpenSlot, _ error: OAuthError
  ) async throws(SDKError) -> SDKError {
    let isNamed = error.server?.error.isEmpty == false
    let reason = error.message + (isNamed ? "" : ", without an error code")
    if var kept = try await slot.readAgain().tokens,
      sameIdentifier(try slots.refreshToken(of: kept, in: .user), refreshToken)
    {
      kept.endReason = reason
      try await slot.store(kept)
    }
    return slots.expired(reason)
  }

  /// The server says that the user is no longer registered: the tokens go, as in the vendors' SDKs.
  private func afterDeregistration(_ error: OAuthError) async throws(SDKError) -> SDKError {
    _ = try await slots.erase(.user)
    // That lock comes before the user's, so it is not waited for: who holds it is refused as well.
    try? await environment.locked(.implicit, waiting: .zero) { () throws(SDKError) in
      _ = try await slots.erase(.implicit)
    }
    return slots.expired(error.message, remedy: .login)
      .with(.sessionExpired, resource: .userDeregistered)
  }

  /// The server no longer knows the refresh token: only that value goes.
  private func afterInvalidGrant(
    _ refreshToken: String, in slot: OpenSlot, _ error: OAuthError
  ) async throws(SDKError) -> TokenSet {
    guard let current = try await slot.readAgain().tokens else {
      throw slots.notLoggedIn().during(CredentialSlot.user.action)
    }
    let stored = try slots.refreshToken(of: current, in: .user)
    guard sameIdentifier(stored, refreshToken) else { return current }
    var kept = current
    kept.refreshToken = nil
    kept.endReason = error.message
    try await slot.store(kept)
    throw slots.expired(error.message)
  }

  private func cause(ofEnd tokens: TokenSet) -> String {
    if profile.requiresBoundTokens, !tokens.isBound {
      return "its token is bound to no key, which the profile requires (dpop=required)"
    }
    if let reason = tokens.endReason { return reason }
    return tokens.isValid(at: environment.now(), minimumLifetime: 0)
      ? "the server gave no refresh token, so the token cannot be renewed"
      : "it expired and cannot be refreshed"
  }

  /// An access token from outside the store cannot be renewed.
  private func refusal(of injected: InjectedToken) -> SDKError {
    guard !profile.requiresBoundTokens else {
      return SDKError(
        .policy,
        "could not use the token of \(injected.source): it is bound to no key, and the profile requires "
          + "that (dpop=required)")
    }
    let expired = injected.tokens.expires.flatMap {
      $0 <= environment.now() ? "it expired at \($0), and " : nil
    }
    return SDKError(
      .sessionExpired,
      "could not use the token of \(injected.source): \(expired ?? "it ")cannot be renewed",
      resource: .userNotAuthenticated)
  }
}

extension Presentation {
  /// Notes that the server has answered, and has not taken the token, or that it got none.
  func note(_ error: OAuthError) {
    let isRefused = error.server?.status.map { $0 < 500 } ?? false
    let isUnsent = Self.unsent.contains { $0 == error.transport?.code }
    if isRefused || isUnsent { noteRefusal() }
  }

  private static let unsent: [TransportError.Code] = [
    .nameNotResolved, .proxy, .pinMismatch, .notPinned, .pinsExpired,
  ]
}

extension AuthorizationServer {
  /// The login that brings a refresh token, after one that brought none.
  ///
  /// `nil` if the server's metadata, as far as it is known already, does not tell: for that alone no server is asked.
  func remedy(forMissingRefreshTokenOf tokens: TokenSet) -> Remedy? {
    let scope = tokens.scope ?? profile.scope
    let isAsked = scope?.words.contains(LoginScope.offlineAccess) ?? false
    guard !isAsked, let issuer = profile.issuer,
      cachedMetadata(of: issuer)?.announces(scope: LoginScope.offlineAccess) == true
    else { return nil }
    return .login(.init(scope: LoginScope.adding(offlineAccessTo: scope)))
  }
}
