import HTTP
import OAuth
package import Trace

/// Login and logout of a profile.
///
/// One login of a profile runs at a time on a machine. A login that waited for another one and asks
/// for the same gets its result: tokens or an error.
public struct LoginService: Sendable {
  package let tokens: TokenService
  package let traceSecrets: TraceSecrets?
  let handshakes: Handshakes
  /// The name of the program, for the page that a browser shows after a login.
  let programName: String?

  package var environment: SessionEnvironment { tokens.environment }
  package var profile: Profile { environment.profile }
  var server: AuthorizationServer { tokens.server }
  var records: RegistrationRecords { server.records }
  var queue: LoginQueue { LoginQueue(records: records, slots: tokens.slots) }

  /// Logs a user in.
  ///
  /// One login of a profile runs at a time on a machine; one that waited and asks for the same gets
  /// its result: tokens or an error. After a failure the next browser waits some seconds.
  ///
  /// - Throws: ``SDKError``: `denied` when the person refused, `refused` when the server did or did
  ///   not take the grant, `untrusted` when what was pasted was not the response to this login,
  ///   `network` when time ran out, `policy` when the profile allows no passwords,
  ///   `invalidConfiguration` when the client has no key for an assertion.
  public func logIn(
    by way: LoginWay, _ options: LoginOptions = LoginOptions()
  ) async throws(SDKError) -> LoginResult {
    try await begin(options)
    if case .grant(let grant) = way { try await require(grant) }
    // What is presented by a grant is proved by no other login.
    let request = way.isShareable ? try await queue.digest(of: options) : nil
    let limit = limit(of: options)
    return try await queue.result(within: limit, asking: request, for: options) {
      () throws(SDKError) in
      if way.opensBrowser { try await queue.coolDown(after: request, options) }
      return try await preparedLogin(way, options)
    }
  }

  /// Reads an assertion of another issuer, which a login can present.
  ///
  /// - Throws: ``SDKError`` if there is none, or if it is not a JWT or has expired.
  public func assertion(from source: AssertionSource) async throws(SDKError) -> String {
    try await AssertionReader(environment: environment).assertion(from: source)
  }

  /// Registers a user: a challenge for the browser, then the user's slot filled.
  ///
  /// A user who is registered already is replaced, and the implicit token goes. The scope
  /// is that of the options, else the profile's.
  ///
  /// - Throws: ``SDKError`` as a login; an identity provider that the profile does not know
  ///   is 10020, a login or registration that is under way on this machine 9007.
  public func registerUser(
    by way: LoginWay, _ options: LoginOptions = LoginOptions(), identityProvider: String? = nil
  ) async throws(SDKError) -> LoginResult {
    var options = options
    options.action = "could not register the user"
    options.parameters["idp"] = identityProvider
    let request = options
    try await begin(request)
    let underWay = SDKError(
      .busy, "\(options.action): a login or a registration is under way already",
      resource: .actionInProgress, subject: profile.name.description)
    return try await environment.locked(.login, waiting: .zero, busy: underWay) {
      () throws(SDKError) in
      try await preparedLogin(way, request)()
    }
  }

  /// Reads what other machines have stored, and asks for the passcodes that a login needs.
  private func begin(_ options: LoginOptions) async throws(SDKError) {
    if let provider = options.parameters["idp"], let known = profile.identityProviders,
      !known.contains(provider)
    {
      throw SDKError(
        .invalidRequest,
        "\(options.action): '\(profile.name)' has no identity provider '\(provider)'",
        resource: .invalidIdentityProvider, subject: provider)
    }
    await environment.update(of: environment.user)
    try await tokens.slots.requireSeal()
    try await server.unseal()
  }

  /// Does what comes before a person sees anything of a login.
  private func preparedLogin(
    _ way: LoginWay, _ options: LoginOptions
  ) async throws(SDKError) -> PreparedLogin {
    switch way {
    case .browser(let place, let present):
      return try await preparedLogin(options, over: try route(to: place, options, present))
    case .handled(let handler):
      return try await preparedLogin(options, over: try handledRoute(options, handler))
    case .pasted(let present, let paste):
      return try await preparedLogin(options, over: try pastedRoute(options, present, paste))
    case .device(let show):
      let flow = try await GrantFlow(self, options, offering: .deviceAuthorization)
      let codes = try await flow.deviceAuthorization()
      return { () throws(SDKError) in
        await show(codes)
        return try await flow.result(polling: codes, within: options.timeout)
      }
    case .grant(let grant):
      let flow = try await GrantFlow(self, options)
      return { () throws(SDKError) in
        try await flow.result(of: grant, for: options.parameters.values(of: "resource"))
      }
    case .existing(let tokens):
      let flow = try await TakeOver(self, options)
      return { () throws(SDKError) in
        try await flow.result(of: tokens, for: options.parameters.values(of: "resource"))
      }
    }
  }

  private func preparedLogin(
    _ options: LoginOptions, over route: some ResponseRoute
  ) async throws(SDKError) -> PreparedLogin {
    let flow = try await CodeFlow(self, options, over: route)
    let limit = limit(of: options)
    return { () throws(SDKError) in
      try await flow.result(
        over: route, within: limit, attempts: options.attempts, ending: flow.finish)
    }
  }

  /// Checks the certificates and pins of a host before a browser is sent there.
  ///
  /// The browser does not check pins. If the network leads this machine to another server, it does the same
  /// with the browser.
  func verifyBrowserTarget(_ url: HTTPURL, _ action: String) async throws(SDKError) {
    _ = try await attempt(action) { try await handshakes.verify(url) }
  }

  func limit(of options: LoginOptions) -> Duration {
    options.timeout ?? environment.clock.limits.login
  }

  /// Stores what a login brought, under the lock that refreshing takes too.
  func storeLogin(
    _ response: TokenResponse, of metadata: ServerMetadata, for target: TokenTarget,
    subject: String?
  ) async throws(SDKError) -> LoginResult {
    var obtained = await TokenSet(
      server.decrypted(response), requestedScope: target.scope, at: environment.now())
    obtained.resources = target.resources
    obtained.endpoints = SecretEndpoints(of: metadata, for: profile)
    return try await storeLogin(obtained, subject: subject)
  }

  func storeLogin(_ obtained: TokenSet, subject: String?) async throws(SDKError) -> LoginResult {
    try await store(AuthorizationProvider(obtained))
    await tokens.obtainImplicitAhead()
    return LoginResult(tokens: obtained, subject: subject)
  }

  /// Stores a credential that a program has obtained itself; it replaces the content of the slot.
  ///
  /// The next request with that slot sends it.
  ///
  /// - Throws: ``SDKError`` if it cannot be written.
  public func store(
    _ provider: AuthorizationProvider, in slot: CredentialSlot = .user
  ) async throws(SDKError) {
    try await tokens.slots.store(provider, in: slot)
    if slot == .user { try await environment.becomeCurrentUser() }
  }

  func scope(
    of options: LoginOptions, needsIDToken: Bool = false, at server: ServerMetadata
  ) -> LoginScope {
    LoginScope(
      options.scope, configured: profile.scope, at: server, needsIDToken: needsIDToken)
  }
}

extension LoginWay {
  /// Whether it opens a browser, for which a failure is followed by a pause.
  fileprivate var opensBrowser: Bool {
    switch self {
    case .browser, .handled: true
    case .pasted, .device, .grant, .existing: false
    }
  }

  /// Whether a login that waited for another one may take its result.
  fileprivate var isShareable: Bool {
    switch self {
    case .browser, .handled, .pasted, .device: true
    case .grant, .existing: false
    }
  }
}

// What a login needs of the servers before a person is asked for anything, and leaves at them if it fails.
extension LoginService {
  /// Refuses a login if servers that it will contact have no pins; makes no connection.
  ///
  /// Other hosts of the metadata without pins are told.
  func requirePins(
    for endpoints: [ServerMetadata.Endpoint], at server: ServerMetadata
  ) throws(SDKError) {
    func urls(_ endpoints: [ServerMetadata.Endpoint]) -> [HTTPURL] {
      endpoints.compactMap { (try? server.url(of: $0)) ?? nil }
    }
    let later = try environment.requirePins(
      of: urls(endpoints),
      besides: urls(
        [.authorization, .token, .keys, .userinfo, .revocation, .introspection]))
    if !later.isEmpty { tokens.slots.notice?(.unpinned(later)) }
  }

  /// Makes a login of a token response; if that fails, the tokens are revoked, because nobody will use them.
  ///
  /// - Throws: the error of `body`; if the grant may remain at the server, it says so.
  func using<Value>(
    _ response: TokenResponse, _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    do throws(SDKError) {
      return try await body()
    } catch {
      let flow = LogoutFlow(tokens: tokens)
      if await flow.revokes(response) { throw error }
      throw error.adding(
        "the server has issued tokens, which could not be revoked: their grant remains")
    }
  }
}

extension LogoutFlow {
  /// Whether the tokens of a response, which nobody will use, were revoked; the refresh token ends the grant.
  fileprivate func revokes(_ response: TokenResponse) async -> Bool {
    guard let revocation = try? await revocation(of: nil) else { return false }
    let (token, hint): (String, TokenHint) =
      response.refreshToken.map { ($0, .refresh) } ?? (response.accessToken, .access)
    let done: Void? = try? await environment.serverClient().revoke(
      token, hint: hint, at: revocation.endpoint, as: revocation.client)
    return done != nil
  }
}
