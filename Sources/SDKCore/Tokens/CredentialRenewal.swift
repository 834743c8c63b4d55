import OAuth

/// A way to a new credential of a slot without a person.
///
/// ``TokenService`` gives a slot to the first one that renews it, and runs that under its lock, in
/// one process of the machine at a time.
package protocol CredentialRenewal: Sendable {
  var lock: ProfileLock { get }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool

  /// Refuses a credential that it cannot renew; without a lock, a connection or a question.
  func require(_ credential: AuthorizationProvider?) async throws(SDKError)

  /// Asks for what it needs of a person, before the lock is taken; the slot holds that credential.
  func prepare(_ credential: AuthorizationProvider?) async throws(SDKError)

  /// Gets and stores a new credential, in place of the one that the slot has now.
  func newCredential(
    for slot: OpenSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider

  /// What ends the session of a credential at its provider after a logout; `nil` if nothing does.
  func end(of credential: AuthorizationProvider) -> SessionEnd?
}

package typealias SessionEnd = @Sendable () async throws(SDKError) -> Void

extension CredentialRenewal {
  package func end(of credential: AuthorizationProvider) -> SessionEnd? { nil }
}

extension CredentialSlot {
  /// What failed if its credential could not be had.
  var action: String {
    switch self {
    case .user: "could not use the user's token"
    case .implicit: "could not get an implicit token"
    case .anonymous: "could not get a token for this installation"
    }
  }
}

/// Obtains this installation's own tokens (RFC 6749 section 4.4).
struct ClientCredentialsRenewal: CredentialRenewal {
  let server: AuthorizationServer
  let slots: TokenSlots

  var environment: SessionEnvironment { server.environment }
  var profile: Profile { environment.profile }
  var lock: ProfileLock { .anonymous }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool { slot == .anonymous }

  func require(_ credential: AuthorizationProvider?) async throws(SDKError) {
    guard try await server.records.current()?.isConfidential == true else {
      throw SDKError(
        .notRegistered, cause: "'\(profile.name)' is not registered with credentials",
        resource: .deviceNotAuthenticated, subject: profile.name.description)
    }
  }

  func prepare(_ credential: AuthorizationProvider?) async throws(SDKError) {
    try await server.unseal()
  }

  func newCredential(
    for slot: OpenSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    try await environment.uninterrupted { () async throws(SDKError) in
      let endpoint = try await server.tokenEndpoint()
      let scope = (demand.scope ?? profile.anonymousScope).flatMap { $0.isEmpty ? nil : $0 }
      try await slot.file.proveWritable()
      let response: TokenResponse
      do throws(OAuthError) {
        response = try await endpoint.clientCredentials(scope: scope)
      } catch {
        let isRefused = error.code == .refused
        let failure = SDKError(error, resource: isRefused ? .deviceNotAuthenticated : nil)
        // The server refuses the scope, or a request without scope.
        throw error.server?.error == "invalid_scope"
          ? failure.with(remedy: .setProfile(key: "anonymousScope", value: nil)) : failure
      }
      let tokens = TokenSet(response, requestedScope: scope, at: environment.now())
      return try await slots.replace(.anonymous, with: AuthorizationProvider(tokens))
    }
  }
}
