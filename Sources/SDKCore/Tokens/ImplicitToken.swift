import OAuth

extension TokenService {
  /// A new implicit token, which can do no more than the user's.
  ///
  /// Runs under the lock of the implicit slot; that of the user is taken inside it.
  func obtainedImplicitly(
    replacing old: TokenSet?, _ demand: TokenDemand
  ) async throws(SDKError) -> TokenSet {
    guard let user = try slots.implicitGrantor() else { throw slots.noImplicitGrantor() }
    let scope = demand.scope ?? old?.scope ?? profile.implicitScope
    try slots.file(.implicit).proveWritable()
    let narrowing = Narrowing(
      scope: scope,
      remedy: .login(.init(.implicit)))
    let tokens: TokenSet
    do {
      tokens = try await self.narrowing.narrowed(user, narrowing)
    } catch {
      guard error.asksForLogin else { throw error }
      throw error.with(error.code, resource: .implicitNotAuthenticated)
    }
    try slots.replace(.implicit, with: tokens)
    return tokens
  }

  static let implicitAction = "could not get an implicit token"
}
