import OAuth

extension ProfileSession {
  /// The tokens of the user in whose name an implicit token can be had.
  ///
  /// A token from outside the store stands for a user who is not known here.
  func implicitGrantor() throws(SDKError) -> TokenSet? {
    injectedToken == nil ? try credentials(.user).load() : nil
  }

  func noImplicitGrantor() -> SDKError {
    SDKError(
      .notAuthenticated,
      injectedToken == nil
        ? "could not get an implicit token: nobody is logged in to '\(profile.name)'"
        : "could not get an implicit token: SDKCTL_TOKEN stands for the user",
      resource: .implicitNotAuthenticated, subject: profile.name.description)
  }

  /// A new implicit token: by token exchange where that is offered, else by a refresh with
  /// less scope.
  ///
  /// Runs under the lock of the implicit slot; that of the user is taken inside it, never
  /// the other way round.
  func obtainedImplicitly(
    replacing old: TokenSet?, _ demand: TokenDemand
  ) async throws(SDKError) -> TokenSet {
    guard let user = try implicitGrantor() else { throw noImplicitGrantor() }
    let scope = demand.scope ?? old?.scope ?? profile.implicitScope
    try requireGranted(scope, by: user)
    try credentials(.implicit).proveWritable()
    let response: TokenResponse
    do {
      response = try await implicitAnswer(scope)
    } catch {
      guard [.notAuthenticated, .sessionExpired].contains(error.code) else { throw error }
      throw SDKError(
        error.code, error.message, resource: .implicitNotAuthenticated, subject: error.subject,
        remedy: error.remedy)
    }
    // Some servers take no notice of the scope: their token could do more than it was meant for.
    guard Self.isCovered(response.scope, by: scope ?? user.scope) else {
      throw SDKError(
        .untrusted, "\(Self.action): the server gave it more scope than was asked for")
    }
    let tokens = TokenSet(response, requestedScope: scope, at: now()).onlyAccess
    try credentials(.implicit).save(tokens)
    return tokens
  }

  private func implicitAnswer(_ scope: String?) async throws(SDKError) -> TokenResponse {
    guard try await offersTokenExchange() else { return try await narrowed(to: scope) }
    let user = try await token(for: .user)
    do {
      return try await exchanged(user.accessToken, scope)
    } catch {
      switch error.serverError {
      case "unauthorized_client", "unsupported_grant_type":
        // Offered, but not to this client.
        guard user.refreshToken != nil else { throw error }
        return try await narrowed(to: scope)
      case "invalid_request", "invalid_grant", "invalid_token":
        // The server no longer takes the user's token, though its time has not come.
        guard user.refreshToken != nil else { throw error }
        let renewed = try await token(for: .user, TokenDemand(refused: user.accessToken))
        return try await exchanged(renewed.accessToken, scope)
      default: throw error
      }
    }
  }

  func offersTokenExchange() async throws(SDKError) -> Bool {
    let offered = try await metadata().words("grant_types_supported") ?? []
    return offered.contains(TokenEndpoint.Grant.tokenExchange)
  }

  private func exchanged(
    _ accessToken: String, _ scope: String?
  ) async throws(SDKError) -> TokenResponse {
    let endpoint = try await tokenEndpoint(Self.action)
    return try await exchanging(Self.action) { () async throws(OAuthError) in
      try await endpoint.exchange(accessToken: accessToken, scope: scope)
    }
  }

  /// A refresh for less scope; the refresh token that it rotates stays with the user.
  private func narrowed(to scope: String?) async throws(SDKError) -> TokenResponse {
    try await locked(CredentialSlot.user.rawValue) { () throws(SDKError) in
      guard var user = try credentials(.user).load() else { throw noImplicitGrantor() }
      guard user.refreshToken != nil else { throw needsBrowser() }
      var outcome = try await refreshing(user, scope: scope)
      if case .changed(let current) = outcome {
        user = current
        outcome = try await refreshing(user, scope: scope)
      }
      guard case .answer(let response) = outcome else { throw noImplicitGrantor() }
      if let rotated = response.refreshToken {
        try credentials(.user).save(user.with(refreshToken: rotated))
      }
      return response
    }
  }

  /// No token without a browser, which only `login --implicit` may open.
  private func needsBrowser() -> SDKError {
    SDKError(
      .notAuthenticated,
      "\(Self.action): the server offers no token exchange, and the login has no refresh token",
      resource: .implicitNotAuthenticated, subject: profile.name.description,
      remedy: "sdkctl -p \(profile.name) login --implicit")
  }

  func requireGranted(_ scope: String?, by user: TokenSet) throws(SDKError) {
    guard !Self.isCovered(scope, by: user.scope) else { return }
    let missing = Self.words(scope).subtracting(Self.words(user.scope)).sorted()
    throw SDKError(
      .policy, "\(Self.action): the user has not granted '\(missing.joined(separator: " "))'")
  }

  /// Whether a scope lies within a limit; what nobody told cannot be compared.
  static func isCovered(_ scope: String?, by limit: String?) -> Bool {
    limit == nil || words(scope).isSubset(of: words(limit))
  }

  private static func words(_ scope: String?) -> Set<Substring> {
    Set((scope ?? "").split(separator: " "))
  }

  static let action = "could not get an implicit token"
}

extension TokenSet {
  /// Without what renews or describes another slot.
  var onlyAccess: TokenSet {
    TokenSet(
      accessToken: accessToken, tokenType: tokenType, expires: expires, scope: scope,
      refreshToken: nil, idToken: nil, obtained: obtained)
  }
}
