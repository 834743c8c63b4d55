import HTTP
import OAuth
import POSIX

struct CodeFlow: Sendable {
  let request: AuthorizationRequest
  /// What a browser opens.
  let url: HTTPURL
  let action: String
  let login: LoginService
  /// Whether the request is a signed token (RFC 9101).
  let signs: Bool
  private let asksIDToken: Bool
  private let server: ServerMetadata
  private let tokenEndpoint: TokenEndpoint

  /// Finds the endpoints, and signs and pushes the request where that is wanted (RFC 9101, 9126).
  init(
    _ login: LoginService, _ options: LoginOptions, redirectURI: String
  ) async throws(SDKError) {
    let registration = try await login.records.required()
    self.login = login
    action = options.action
    let pushes = login.profile.pushesAuthorization
    let mode = login.profile.responseMode
    let server = try await login.server.metadata(offering: .authorization) { server in
      (!(pushes || server.requiresPushedAuthorization) || server.offers([.pushedAuthorization]))
        && (mode?.isUsable(at: server) ?? true)
    }
    self.server = server
    let isPushed = pushes || server.requiresPushedAuthorization
    var parameters = login.profile.authorizationParameters
    for name in Set(options.parameters.map(\.name)) { parameters[name] = nil }
    for pair in options.parameters { parameters.append(pair.name, pair.value) }
    let needsIDToken = IDTokenCheck.isNeeded(for: parameters)
    let scope = login.scope(of: options, needsIDToken: needsIDToken, at: server)
    asksIDToken = scope.asksIDToken
    // Keys verify the ID token, and a response that is a token.
    let needsKeys = scope.asksIDToken || mode?.isToken == true
    try login.requirePins(
      for: [.authorization, .token] + (isPushed ? [.pushedAuthorization] : [])
        + (needsKeys ? [.keys] : []), at: server)
    // Asks for the passcode of a sealed client.
    tokenEndpoint = try await login.server.tokenEndpoint(
      binding: options.bindsTokens, and: [.pushedAuthorization])
    if scope.asksOfflineAccess { parameters.askForConsent() }
    parameters["response_mode"] = mode?.rawValue
    // Nobody without the key can use the code either (RFC 9449 section 10).
    parameters["dpop_jkt"] = tokenEndpoint.serverClient.dpop?.thumbprint
    signs = server.requiresSignedRequest || login.profile.signsAuthorization
    do throws(OAuthError) {
      try mode?.require(at: server)
      // Such a server shows an error in the browser, and nobody comes back.
      if signs, server.refusesSignedRequests(pushed: isPushed) {
        throw OAuthError(.unsupported, "\(server.issuer) announces that it takes no signed request")
      }
      var request = try AuthorizationRequest(
        endpoint: try server.required(.authorization), clientID: registration.clientID,
        redirectURI: redirectURI, scope: scope.text, parameters: parameters,
        usesPKCE: login.profile.usesPKCE)
      request.encryption = registration.encryption
      self.request = request
      let client = tokenEndpoint.client
      let object =
        signs ? RequestObject(request, to: server.issuer, at: login.environment.now()) : nil
      guard isPushed else {
        url = request.endpoint.adding(try object?.query(signedBy: client) ?? request.query)
        return
      }
      url = try await PushedAuthorization.push(
        try object?.pushed(signedBy: client) ?? request.query, of: request,
        to: try server.required(.pushedAuthorization), client: client,
        over: login.environment.serverClient())
    } catch {
      throw SDKError(error)
    }
  }

  /// Exchanges the code of a response and stores the tokens, if both pass all checks.
  func finish(_ authorization: AuthorizationResponse) async throws(SDKError) -> LoginResult {
    let target = TokenTarget(
      scope: request.scope, resources: request.parameters.values(of: "resource"))
    return try await exchange(authorization) { (response, subject) async throws(SDKError) in
      try await login.storeLogin(response, of: server, for: target, subject: subject)
    }
  }

  /// Exchanges the code of a response; `keep` gets the tokens with the subject of the ID token, if there is one.
  ///
  /// Tokens that fail a check, or that are not kept, are revoked.
  func exchange<Value>(
    _ authorization: AuthorizationResponse,
    keeping keep: (TokenResponse, String?) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let code: String
    let response: TokenResponse
    do throws(OAuthError) {
      try await authorization.verify(for: request, from: server, at: login.environment.now()) {
        () throws(OAuthError) in try login.server.keys(of: server)
      }
      code = try authorization.code(for: request, from: server)
      do throws(OAuthError) {
        response = try await tokenEndpoint.exchange(code: code, of: request)
      } catch {
        guard error.code == .unavailable else { throw error }
        throw OAuthError(
          .unavailable,
          "the login was accepted and gave a code, but the token endpoint failed: \(error.message)")
      }
    } catch {
      throw SDKError(error, resource: number(of: error))
    }
    return try await login.using(response) { () async throws(SDKError) in
      let (response, subject) = try await attempt { try await checked(response, of: code) }
      return try await keep(response, subject)
    }
  }

  private func checked(
    _ response: TokenResponse, of code: String
  ) async throws(OAuthError) -> (TokenResponse, String?) {
    var response = response
    if asksIDToken, response.idToken == nil {
      throw OAuthError(
        .malformed, "the token response has no ID token, although openid was requested")
    }
    if !asksIDToken { try response.dropIDToken(nonce: request.nonce) }
    let subject = try await login.server.subject(
      of: response, from: server, clientID: request.clientID, nonce: request.nonce, code: code,
      parameters: request.parameters)
    return (response, subject)
  }

  /// The vendors' number; `invalid_request` is how a server refuses a provider it does not know.
  private func number(of error: OAuthError) -> ResourceError? {
    let isProviderRefused =
      error.server?.error == "invalid_request" && request.parameters["idp"] != nil
    return isProviderRefused ? .invalidIdentityProvider : nil
  }

  static let action = "could not log in"
}

extension ResponseMode {
  /// A server that does not know the mode would respond in another one, which the listener ignores.
  fileprivate func require(at server: ServerMetadata) throws(OAuthError) {
    guard isUsable(at: server) else {
      throw OAuthError(
        .unsupported, "\(server.issuer) does not announce the response mode \(rawValue)")
    }
  }

  fileprivate func isUsable(at server: ServerMetadata) -> Bool {
    !isToken || server.words("response_modes_supported")?.contains(rawValue) ?? false
  }
}

extension CodeFlow {
  init(
    _ login: LoginService, _ options: LoginOptions, over route: some ResponseRoute
  ) async throws(SDKError) {
    do {
      try await self.init(login, options, redirectURI: route.redirectURI)
    } catch {
      route.close()
      throw error.during(options.action)
    }
  }

  /// Shows the challenge by a route, again after an address that is not the response, and finishes.
  ///
  /// All of it may take as long as the limit says; the challenge is issued `attempts` times
  /// at most, unless anyone can use them up.
  func result<Value: Sendable>(
    over route: some ResponseRoute, within limit: Duration?, attempts: Int,
    ending: (AuthorizationResponse) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    defer { route.close() }
    let authorization = try await authorization(over: route, within: limit, attempts: attempts)
    do {
      let value = try await ending(authorization)
      await route.finish(nil)
      return value
    } catch {
      await route.finish(error.during(action))
      throw error.during(action)
    }
  }

  private func authorization(
    over route: some ResponseRoute, within limit: Duration?, attempts: Int
  ) async throws(SDKError) -> AuthorizationResponse {
    let deadline = limit.map { SystemClock.monotonic() + $0 }
    try await login.verifyBrowserTarget(url, action)
    let expected = ExpectedResponse(
      request: request, source: route.source, userID: login.environment.user, action: action)
    let launchURL = route.launchURL(to: url)
    var flaw = ResponseFlaw("nothing came")
    var attempt = 0
    while attempt < max(attempts, 1) || route.isOpenToStrangers {
      let challenge = BrowserChallenge(
        url, launchURL: launchURL, expected: expected, flaw: attempt == 0 ? nil : flaw)
      attempt += 1
      let carrying = Task { await route.carry(challenge) }
      let ending = await challenge.ending(
        within: deadline.map { max($0 - SystemClock.monotonic(), .zero) })
      let isCancelled = Task.isCancelled
      carrying.cancel()
      await carrying.value
      switch ending {
      case .answered(let address):
        do { return try expected.read(address) } catch { flaw = error }
      case .failed(let error): throw error
      case nil where isCancelled: throw .actionCancelled(action)
      case nil:
        let cause =
          route.source == .person ? "nothing was pasted" : "no response came from the browser"
        throw SDKError(
          .network, "\(action): \(cause) in time",
          remedy: .allowRequest(
            redirectURI: request.redirectURI, scope: request.scope, isSigned: signs))
      }
    }
    throw expected.error(
      flaw,
      "the address is not the response to this request: \(flaw.text); the whole address is needed, beginning "
        + "with \(request.redirectURI)")
  }
}
