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

  /// The value of `reauthenticate` for which a session needs the method.
  let way: Reauthentication
  /// Learns the secrets of an HTML page that the trace is about to show; `nil` if it reads no pages.
  let learnPage: TraceSecrets.PageReader?
  /// Makes what renews the credentials of these logins.
  let renewal: @Sendable (Context) -> any CredentialRenewal

  package init(
    _ way: Reauthentication, learnPage: TraceSecrets.PageReader? = nil,
    renewal: @escaping @Sendable (Context) -> any CredentialRenewal
  ) {
    self.way = way
    self.learnPage = learnPage
    self.renewal = renewal
  }
}

extension Profile {
  /// Refuses a profile whose users log in in a way that the program does not have.
  func requireLoginMethod(_ methods: [LoginMethod]) throws(SDKError) {
    guard let way = loginWay, !methods.contains(where: { $0.way == way }) else {
      return
    }
    throw SDKError(
      .unavailable,
      "could not open the profile '\(name)': this program has no login of the kind '\(way.rawValue)'",
      subject: name.description)
  }
}
