/// A way to a new credential of the user without a person.
protocol CredentialRenewal: Sendable {
  /// Whether it renews such a credential, as the profile says.
  func renews(_ credential: AuthorizationProvider) -> Bool

  /// Gets and stores a new credential, unless another process has stored one meanwhile.
  func renewed(
    after refused: AuthorizationProvider
  ) async throws(SDKError) -> AuthorizationProvider
}
