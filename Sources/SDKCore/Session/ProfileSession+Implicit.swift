import OAuth

extension ProfileSession {
  /// The tokens of the user in whose name an implicit token can be had.
  ///
  /// A token from outside the store stands for a user who is not known here.
  func implicitGrantor() throws(SDKError) -> TokenSet? {
    injectedToken == nil ? try storedTokens(in: .user) : nil
  }

  func noImplicitGrantor(_ action: String = implicitAction) -> SDKError {
    SDKError(
      .notAuthenticated,
      injectedToken == nil
        ? "\(action): nobody is logged in to '\(profile.name)'"
        : "\(action): SDKCTL_TOKEN stands for the user",
      resource: .implicitNotAuthenticated, subject: profile.name.description)
  }

  /// A new implicit token, which can do no more than the user's.
  ///
  /// Runs under the lock of the implicit slot; that of the user is taken inside it.
  func obtainedImplicitly(
    replacing old: TokenSet?, _ demand: TokenDemand
  ) async throws(SDKError) -> TokenSet {
    guard let user = try implicitGrantor() else { throw noImplicitGrantor() }
    let scope = demand.scope ?? old?.scope ?? profile.implicitScope
    try credentials(.implicit).proveWritable()
    let narrowing = Narrowing(
      action: Self.implicitAction, scope: scope,
      remedy: .login(.init(.implicit)))
    let tokens: TokenSet
    do {
      tokens = try await narrowed(user, narrowing)
    } catch {
      guard error.asksForLogin else { throw error }
      throw SDKError(
        error.code, error.message, resource: .implicitNotAuthenticated,
        serverError: error.serverError, subject: error.subject, remedy: error.remedy)
    }
    try replace(.implicit, with: tokens)
    return tokens
  }

  static let implicitAction = "could not get an implicit token"
}
