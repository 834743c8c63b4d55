package import OAuth

extension ProfileSession {
  /// Logs a user in: authorization code with PKCE, answered to a loopback address (RFC 8252).
  ///
  /// Without a place the browser arrives where the registered redirect URI says. A listener is
  /// bound before `present` shows the challenge to a person. With
  /// ``AnswerPlace/scheme`` the answer comes from another process (``PendingLogins``),
  /// and `present` is told of each that was none. One login of a profile runs at a time
  /// on a machine; whoever waited for it and asks for the same gets its result, be it
  /// tokens or a failure. After a failure the next browser waits some seconds.
  ///
  /// - Throws: ``SDKError``: `denied` when the person refused, `refused` when the
  ///   server did, `network` when time ran out.
  package func login(
    _ options: LoginOptions, at place: AnswerPlace? = nil,
    present: @escaping ChallengeHandler
  ) async throws(SDKError) -> LoginResult {
    let limit = options.timeout ?? limits.login
    return try await loggingIn(limit, asking: try digest(of: options)) { () throws(SDKError) in
      try await coolDown(options)
      let route = try route(to: place, options, present)
      let flow = try await CodeFlow(self, options, over: route)
      return { () throws(SDKError) in
        try await flow.run(over: route, within: limit, attempts: options.attempts)
      }
    }
  }

  /// Logs a user in with a browser anywhere, whose last address the person pastes.
  ///
  /// - Throws: ``SDKError`` as ``login(_:present:)``; `untrusted` when what was pasted
  ///   was no answer to this login, `network` when nothing was in time.
  package func loginManually(
    _ options: LoginOptions, present: @escaping ChallengeHandler, paste: @escaping LoginPaste
  ) async throws(SDKError) -> LoginResult {
    let limit = options.timeout ?? limits.login
    return try await loggingIn(limit, asking: try digest(of: options)) { () throws(SDKError) in
      let route = try PastedRoute(self, present: present, paste: paste)
      let flow = try await CodeFlow(self, options, redirectURI: route.redirectURI)
      return { () throws(SDKError) in
        try await flow.run(over: route, within: limit, attempts: options.attempts)
      }
    }
  }

  /// Logs a user in on another device, where the person enters a code (RFC 8628).
  ///
  /// - Throws: ``SDKError`` as ``login(_:present:)``.
  package func loginOnDevice(
    _ options: LoginOptions, show: @escaping @Sendable (DeviceAuthorization) async -> Void
  ) async throws(SDKError) -> LoginResult {
    let limit = options.timeout ?? limits.login
    return try await loggingIn(limit, asking: try digest(of: options)) { () throws(SDKError) in
      let flow = try await DeviceFlow(self, options)
      return { () throws(SDKError) in try await flow.run(within: options.timeout, show: show) }
    }
  }

  /// Obtains this installation's own token anew (RFC 6749 section 4.4).
  ///
  /// - Parameter scope: what it is good for; `nil` for the profile's `anonymousScope`.
  /// - Returns: the token, which is kept already.
  /// - Throws: ``SDKError``; a server that refuses is 10012.
  package func loginAnonymously(scope: String? = nil) async throws(SDKError) -> TokenSet {
    var demand = TokenDemand(forceNew: true)
    demand.scope = scope
    return try await token(for: .device, demand)
  }

  /// Keeps what a login brought, under the lock that refreshing takes too.
  func keep(
    _ response: TokenResponse, for target: TokenTarget, subject: String?
  ) async throws(SDKError) -> LoginResult {
    var obtained = TokenSet(opened(response), requestedScope: target.scope, at: now())
    obtained.resources = target.resources
    let tokens = obtained
    try await locked(.implicit) { () throws(SDKError) in
      try await locked(.user) { () throws(SDKError) in
        // What was obtained in the name of the former user goes first: it must not outlive them.
        _ = try erase(.implicit)
        try replace(.user, with: tokens)
      }
    }
    return LoginResult(tokens: tokens, subject: subject)
  }
}

/// What a prepared login does, from where a person sees something of it.
typealias PreparedLogin = @Sendable () async throws(SDKError) -> LoginResult

extension ProfileSession {
  private var log: LoginLog { LoginLog(store.location, profile.name) }

  /// Runs one login of the profile at a time; `prepare` fails without anybody having noticed.
  ///
  /// One that was waited for and asked for the same `request` counts as this one; without
  /// a request no other one can stand for it.
  func loggingIn(
    _ limit: Duration, asking request: String?, prepare: () async throws(SDKError) -> PreparedLogin
  ) async throws(SDKError) -> LoginResult {
    let before = try credentials(.user).content()
    let lastOutcome = log.last()
    return try await locked(.login, waiting: limit) { () throws(SDKError) in
      if let outcome = log.last(), outcome != lastOutcome, outcome.request == request {
        if let error = outcome.error { throw error }
        let content = try credentials(.user).content()
        if let shared = content.tokens, content != before,
          TokenDemand().isMet(by: shared, at: now())
        {
          return LoginResult(tokens: shared, isShared: true)
        }
      }
      let run = try await prepare()
      defer { clock.tellOnce() }
      do throws(SDKError) {
        let result = try await run()
        log.note(nil, of: request ?? "", at: now())
        return result
      } catch {
        // Who broke it off may begin again at once, and so may those who waited.
        if error.code != .cancelled { log.note(error, of: request ?? "", at: now()) }
        throw error
      }
    }
  }

  /// Waits before the same login is tried again that has just failed.
  private func coolDown(_ options: LoginOptions) async throws(SDKError) {
    guard let last = log.last(), last.request == (try digest(of: options)) else { return }
    let seconds = last.pause(at: now())
    guard seconds > 0 else { return }
    options.pausing?(seconds)
    do {
      try await pause(.seconds(seconds))
    } catch {
      throw SDKError(.cancelled, "\(CodeFlow.action): cancelled")
    }
  }
}
