import OAuth
import Primitives

/// Refreshes the tokens of the user (RFC 6749 section 6).
///
/// Runs under the lock of the user's slot.
struct RefreshFlow: SessionService {
  let server: AuthorizationServer
  let slots: TokenSlots

  var environment: SessionEnvironment { server.environment }

  /// Refreshes the tokens of the user, and stores them before they are used.
  func refreshed(_ tokens: TokenSet?) async throws(SDKError) -> TokenSet {
    guard let tokens else { throw slots.notLoggedIn().during(CredentialSlot.user.action) }
    switch try await refreshing(tokens, scope: nil) {
    case .changed(let current): return current
    case .response(let response):
      var renewed = TokenSet(response, replacing: tokens, at: now())
      let granted = tokens.loginScope ?? tokens.scope
      let missing = Scope.missing(in: renewed.scope, of: granted)
      renewed.loginScope = missing.isEmpty ? nil : granted
      try slots.file(.user).save(renewed)
      if !missing.isEmpty { slots.notice?(.scopeLost(missing)) }
      guard let idToken = await server.verifiedIDToken(of: response) else { return renewed }
      let complete = renewed.with(idToken: idToken)
      try slots.file(.user).save(complete)
      return complete
    }
  }

  /// What came of presenting the user's refresh token.
  enum Refresh {
    case response(TokenResponse)
    /// It was invalid, but another process had stored other tokens.
    case changed(TokenSet)
  }

  /// Presents the refresh token of the user, under whose lock this runs.
  func refreshing(_ tokens: TokenSet, scope: String?) async throws(SDKError) -> Refresh {
    try await attempt("could not refresh the token of '\(profile.name)'") {
      try await present(tokens, scope)
    }
  }

  private func present(_ tokens: TokenSet, _ scope: String?) async throws(SDKError) -> Refresh {
    guard let refreshToken = tokens.refreshToken else {
      throw slots.expired("it expired and cannot be refreshed")
    }
    let endpoint = try await server.tokenEndpoint(
      binding: tokens.isBound ? true : nil, insisting: tokens.isBound, presenting: tokens.endpoints)
    try slots.file(.user).proveWritable()
    let response: TokenResponse
    do {
      response = try await endpoint.refresh(
        refreshToken, scope: scope, resources: tokens.resources)
    } catch {
      // No reason given: a login is needed, but the tokens are kept.
      if error.refusesWithoutReason { throw slots.expired(error.message) }
      guard error.invalidatesGrant else { throw SDKError(error) }
      return .changed(try afterInvalidGrant(refreshToken, error))
    }
    try server.requireSameUser(response, as: tokens.idToken)
    return .response(response)
  }

  /// The server no longer knows the refresh token: only that value goes.
  private func afterInvalidGrant(
    _ refreshToken: String, _ error: OAuthError
  ) throws(SDKError) -> TokenSet {
    guard let current = try slots.stored(in: .user) else {
      throw slots.notLoggedIn().during(CredentialSlot.user.action)
    }
    guard sameIdentifier(current.refreshToken, refreshToken) else { return current }
    try slots.file(.user).save(current.with(refreshToken: nil))
    throw slots.expired(error.message)
  }
}

extension TokenSet {
  /// The same tokens with another refresh token, or none.
  func with(refreshToken: String?) -> TokenSet {
    var tokens = self
    tokens.refreshToken = refreshToken
    return tokens
  }

  /// The same tokens with another ID token.
  func with(idToken: String?) -> TokenSet {
    var tokens = self
    tokens.idToken = idToken
    return tokens
  }
}
