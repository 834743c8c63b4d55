import OAuth

/// Decides whether a slot can be used: it holds a token, or one can be obtained without a person.
///
/// Requests and the token service ask here, before any connection. The errors have no action: the
/// caller says what could not be done.
struct SlotGate: SessionService {
  let records: RegistrationRecords
  let slots: TokenSlots
  let server: AuthorizationServer

  var environment: SessionEnvironment { slots.environment }

  /// Refuses a slot that holds no token and for which none can be obtained.
  ///
  /// - Throws: ``SDKError``: 9010, 9026 or 10012.
  func require(_ slot: CredentialSlot) throws(SDKError) {
    switch slot {
    case .user:
      guard try slots.provider(in: .user, isRecent: true) != nil else { throw slots.notLoggedIn() }
    case .implicit:
      guard try slots.implicitGrantor() != nil else { throw slots.noImplicitGrantor() }
    case .anonymous:
      if try slots.tokens(in: .anonymous, isRecent: true) == nil { try requireClientCredentials() }
    }
  }

  /// Refuses a slot whose token is not valid any more and cannot be renewed.
  ///
  /// - Parameters:
  ///   - slot: the slot.
  ///   - tokens: what it holds; `nil` if it is empty.
  /// - Throws: ``SDKError``: `notAuthenticated`, `sessionExpired` or `notRegistered`.
  func requireRenewable(
    _ slot: CredentialSlot, holding tokens: TokenSet?
  ) throws(SDKError) {
    switch slot {
    case .user:
      if let injected = slots.injected { throw refusal(of: injected) }
      guard let tokens else { throw slots.notLoggedIn() }
      guard tokens.refreshToken != nil else {
        throw slots.expired(
          cause(ofEnd: tokens), remedy: server.remedy(forMissingRefreshTokenOf: tokens))
      }
    case .implicit: try require(.implicit)
    case .anonymous: try requireClientCredentials()
    }
  }

  private func requireClientCredentials() throws(SDKError) {
    guard try records.current()?.isConfidential == true else {
      throw SDKError(
        .notRegistered, cause: "'\(profile.name)' is not registered with credentials",
        resource: .deviceNotAuthenticated, subject: profile.name.description)
    }
  }

  /// Why tokens that cannot be renewed cannot be used.
  private func cause(ofEnd tokens: TokenSet) -> String {
    if profile.requiresBoundTokens, !tokens.isBound {
      return "its token is bound to no key, which the profile requires (dpop=required)"
    }
    if tokens.isValid(at: now(), minimumLifetime: 0) {
      return "the server gave no refresh token, so the token cannot be renewed"
    }
    return "it expired and cannot be refreshed"
  }

  /// An access token from outside the store cannot be renewed.
  private func refusal(of injected: InjectedToken) -> SDKError {
    guard !profile.requiresBoundTokens else {
      return SDKError(
        .policy,
        "could not use the token of \(injected.source): it is bound to no key, and the profile requires "
          + "that (dpop=required)")
    }
    return SDKError(
      .sessionExpired,
      "could not use the token of \(injected.source): it cannot be renewed",
      resource: .userNotAuthenticated)
  }
}
