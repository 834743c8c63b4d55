package import HTTP
import OAuth

extension ProfileSession {
  /// Logs a user in: authorization code with PKCE, answered to a loopback address (RFC 8252).
  ///
  /// The listener is bound before `present` shows the URL to a person. One login of
  /// a profile runs at a time on a machine; whoever waited for it gets its result.
  ///
  /// - Throws: ``SDKError``: `denied` when the person refused, `refused` when the
  ///   server did, `network` when time ran out.
  package func login(
    _ options: LoginOptions, present: @escaping @Sendable (HTTPURL) async -> Void
  ) async throws(SDKError) -> LoginResult {
    let before = try credentials(.user).load()
    let limit = options.timeout ?? limits.login
    return try await locked("login", waiting: limit) { () throws(SDKError) in
      if let shared = try credentials(.user).load(), shared != before,
        TokenDemand().isMet(by: shared, at: now())
      {
        return LoginResult(tokens: shared, subject: nil, isShared: true)
      }
      let flow = try await BrowserFlow(self, options)
      return try await flow.run(within: limit, present: present)
    }
  }

  /// Obtains this installation's own token anew (RFC 6749 section 4.4).
  package func loginAnonymously() async throws(SDKError) -> TokenSet {
    try await token(for: .device, TokenDemand(forceNew: true))
  }

  /// Keeps what a login brought, under the lock that refreshing takes too.
  func keep(_ tokens: TokenSet) async throws(SDKError) {
    try await locked(CredentialSlot.user.rawValue) { () throws(SDKError) in
      try credentials(.user).save(tokens)
    }
  }
}
