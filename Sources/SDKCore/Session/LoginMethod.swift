package import OpenSSL

/// A way to log in that another module adds to the sessions of a program: ``SessionOptions/loginMethods``.
public struct LoginMethod: Sendable {
  /// What a method gets of a session.
  package struct Context: Sendable {
    /// The authorization server, with the client's registration.
    package let server: AuthorizationServer
    /// The slots of the user.
    package let slots: TokenSlots
    /// The client certificates, and who opens their keys.
    package let identities: IdentityStore
    /// Learns the secrets that the trace must not show; `nil` without a trace.
    package let traceSecrets: TraceSecrets?
    /// What a guess of a passcode costs that protects keys of the method.
    package let passcodeCost: ScryptCost
  }

  /// The settings that the module declares for it.
  let settings: ModuleSettings
  /// Learns the secrets of an HTML page that the trace is about to show; `nil` if it reads no pages.
  let learnPage: TraceSecrets.PageReader?
  /// Makes what renews the credentials of these logins.
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
