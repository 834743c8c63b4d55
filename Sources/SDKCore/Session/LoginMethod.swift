package import OpenSSL

/// A way to log in that another module adds to the sessions of a program: ``SessionOptions/loginMethods``.
public struct LoginMethod: Sendable {
  package struct Context: Sendable {
    package let server: AuthorizationServer
    package let slots: TokenSlots
    package let identities: IdentityStore
    /// Learns the secrets that the trace must not show; `nil` without a trace.
    package let traceSecrets: TraceSecrets?
    /// What a guess of a passcode costs that protects keys of the method.
    package let passcodeCost: ScryptCost
  }

  let settings: ModuleSettings
  /// Learns the secrets of an HTML page that the trace is about to show; `nil` if it reads no pages.
  let learnPage: TraceSecrets.PageReader?
  let renewal: @Sendable (Context) -> any CredentialRenewal

  package init(
    _ settings: ModuleSettings, learnPage: TraceSecrets.PageReader? = nil,
    renewal: @escaping @Sendable (Context) -> any CredentialRenewal
  ) {
    self.settings = settings
    self.learnPage = learnPage
    self.renewal = renewal
  }
}
