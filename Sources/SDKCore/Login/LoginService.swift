public import OAuth

/// Login and logout of a profile.
///
/// One login of a profile runs at a time on a machine. A login that waited for another one and asks
/// for the same gets its result: tokens or an error.
public struct LoginService: SessionService {
  let environment: SessionEnvironment
  let server: AuthorizationServer
  let tokens: TokenService

  init(_ environment: SessionEnvironment) {
    self.environment = environment
    tokens = TokenService(environment)
    server = tokens.server
  }

  var records: RegistrationRecords { server.records }
  var queue: LoginQueue { LoginQueue(records: records, slots: tokens.slots) }

  /// Logs a user in: authorization code with PKCE and a loopback redirect URI (RFC 8252).
  ///
  /// Without a place the browser arrives where the registered redirect URI says. A listener is
  /// bound before `present` shows the challenge to a person. With ``ResponsePlace/scheme`` the
  /// response comes from another process (``PendingLogins``), and `present` is called for each that
  /// was not one. One login of a profile runs at a time on a machine; one that waited and asks for
  /// the same gets its result: tokens or an error. After a failure the next browser waits some
  /// seconds.
  ///
  /// - Throws: ``SDKError``: `denied` when the person refused, `refused` when the
  ///   server did, `network` when time ran out.
  public func inBrowser(
    _ options: LoginOptions, at place: ResponsePlace? = nil,
    present: @escaping ChallengeHandler
  ) async throws(SDKError) -> LoginResult {
    let limit = options.timeout ?? environment.limits.login
    return try await queue.run(limit, asking: try queue.digest(of: options), for: options) {
      () throws(SDKError) in
      try await queue.coolDown(options)
      let route = try route(to: place, options, present)
      let flow = try await CodeFlow(self, options, over: route)
      return { () throws(SDKError) in
        try await flow.run(over: route, within: limit, attempts: options.attempts)
      }
    }
  }

  /// Logs a user in with a browser anywhere, whose last address the person pastes.
  ///
  /// - Throws: ``SDKError`` as ``inBrowser(_:at:present:)``; `untrusted` when what was pasted
  ///   was not the response to this login, `network` if none arrived in time.
  public func manually(
    _ options: LoginOptions, present: @escaping ChallengeHandler, paste: @escaping LoginPaste
  ) async throws(SDKError) -> LoginResult {
    let limit = options.timeout ?? environment.limits.login
    return try await queue.run(limit, asking: try queue.digest(of: options), for: options) {
      () throws(SDKError) in
      let route = try PastedRoute(self, present: present, paste: paste)
      let flow = try await CodeFlow(self, options, redirectURI: route.redirectURI)
      return { () throws(SDKError) in
        try await flow.run(over: route, within: limit, attempts: options.attempts)
      }
    }
  }

  /// Logs a user in on another device, where the person enters a code (RFC 8628).
  ///
  /// - Throws: ``SDKError`` as ``inBrowser(_:at:present:)``.
  public func onDevice(
    _ options: LoginOptions, show: @escaping @Sendable (DeviceAuthorization) async -> Void
  ) async throws(SDKError) -> LoginResult {
    let limit = options.timeout ?? environment.limits.login
    return try await queue.run(limit, asking: try queue.digest(of: options), for: options) {
      () throws(SDKError) in
      let flow = try await DeviceFlow(self, options)
      return { () throws(SDKError) in try await flow.run(within: options.timeout, show: show) }
    }
  }

  /// Obtains this installation's own token again (RFC 6749 section 4.4).
  ///
  /// - Parameter scope: the requested scope; `nil` for the profile's `anonymousScope`.
  /// - Returns: the token, which is kept already.
  /// - Throws: ``SDKError``; a server that refuses is 10012.
  public func anonymously(scope: String? = nil) async throws(SDKError) -> TokenSet {
    var demand = TokenDemand(forceNew: true)
    demand.scope = scope
    return try await tokens.valid(for: .anonymous, demand)
  }

  /// Logs a user in by a grant that needs no browser, as one login of the profile at a time.
  ///
  /// - Throws: ``SDKError``: `policy` when the profile allows no passwords, `refused` when
  ///   the server did not take the grant, `invalidConfiguration` when the client has no key.
  public func with(
    _ grant: LoginGrant, _ options: LoginOptions
  ) async throws(SDKError) -> LoginResult {
    switch grant {
    case .password: try requirePasswordGrant()
    case .ownAssertion: try requireSigningKey()
    case .assertion, .exchange: break
    }
    let limit = options.timeout ?? environment.limits.login
    // What is presented here is proved by no other login.
    return try await queue.run(limit, asking: nil, for: options) { () throws(SDKError) in
      let flow = try await GrantFlow(self, grant, options)
      return { () throws(SDKError) in try await flow.run() }
    }
  }

  /// Logs a user in by browser, and returns how it ended.
  ///
  /// - Parameters:
  ///   - scope: what to ask for; `nil` for the profile's.
  ///   - present: shows the challenge to a user; the browser's response arrives at the loopback
  ///     address by itself, or by ``BrowserChallenge/respond(with:)``.
  /// - Returns: one of the three results.
  /// - Throws: ``SDKError`` if there is no result: network, TLS, pins, store.
  public func authorize(
    scope: String? = nil, present: @escaping ChallengeHandler
  ) async throws(SDKError) -> AuthorizationOutcome {
    var options = LoginOptions()
    options.scope = scope
    do throws(SDKError) {
      return .authorized(try await inBrowser(options, present: present).tokens)
    } catch {
      guard let outcome = AuthorizationOutcome(error) else { throw error }
      return outcome
    }
  }
}

extension LoginService {
  /// Keeps what a login brought, under the lock that refreshing takes too.
  func keep(
    _ response: TokenResponse, of metadata: ServerMetadata, for target: TokenTarget,
    subject: String?
  ) async throws(SDKError) -> LoginResult {
    var obtained = TokenSet(server.opened(response), requestedScope: target.scope, at: now())
    obtained.resources = target.resources
    obtained.endpoints = SecretEndpoints(of: metadata, for: profile)
    let tokens = obtained
    try await environment.locked(.implicit) { () throws(SDKError) in
      try await environment.locked(.user) { () throws(SDKError) in
        // What was obtained in the name of the former user goes first: it must not outlive them.
        _ = try self.tokens.slots.erase(.implicit)
        try self.tokens.slots.replace(.user, with: tokens)
      }
    }
    return LoginResult(tokens: tokens, subject: subject)
  }
}
