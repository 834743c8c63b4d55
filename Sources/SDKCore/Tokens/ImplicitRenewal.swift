/// Obtains implicit tokens, which can do no more than the user's.
///
/// The lock of the user's slot is taken inside its own.
struct ImplicitRenewal: CredentialRenewal {
  /// Has the user's token, and renews it.
  let tokens: TokenService

  var environment: SessionEnvironment { tokens.environment }
  var lock: ProfileLock { .implicit }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool { slot == .implicit }

  func require(_ credential: AuthorizationProvider?) throws(SDKError) {
    _ = try tokens.slots.requiredGrantor()
  }

  func prepare() async throws(SDKError) { try await tokens.records.unseal() }

  func renewed(
    _ current: AuthorizationProvider?, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    let user = try tokens.slots.requiredGrantor()
    let scope = demand.scope ?? current?.tokens?.scope ?? profile.implicitScope
    return try await environment.uninterrupted { () async throws(SDKError) in
      try tokens.slots.file(.implicit).proveWritable()
      let narrowed: TokenSet
      do throws(SDKError) {
        narrowed = try await tokens.narrowing.narrowed(
          user, Narrowing(scope: scope, remedy: .login(.init(.implicit))))
      } catch {
        guard error.asksForLogin else { throw error }
        throw error.with(error.code, resource: .implicitNotAuthenticated)
      }
      try tokens.slots.replace(.implicit, with: narrowed)
      return AuthorizationProvider(narrowed)
    }
  }
}
