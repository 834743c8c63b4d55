import OAuth

/// One login on another device, where a person enters a code (RFC 8628).
struct DeviceFlow: Sendable {
  private let login: LoginService
  private let server: ServerMetadata
  private let tokenEndpoint: TokenEndpoint
  private let authorization: DeviceAuthorization
  private let scope: LoginScope

  /// Requests the codes; they have not been shown yet.
  init(_ login: LoginService, _ options: LoginOptions) async throws(SDKError) {
    _ = try login.records.required()
    let server = try await login.server.metadata(offering: .deviceAuthorization)
    let scope = login.scope(of: options, at: server)
    let tokenEndpoint = try await login.server.tokenEndpoint(
      binding: options.bindsTokens, and: [.deviceAuthorization])
    authorization = try await exchanging { () async throws(OAuthError) in
      try await DeviceAuthorization.request(
        at: try server.required(.deviceAuthorization), scope: scope.text,
        client: tokenEndpoint.client,
        over: login.environment.serverClient())
    }
    // The person is sent to that page, on whatever device.
    try await login.environment.verifyBrowserTarget(
      authorization.verificationURI, "could not log in with a code")
    (self.login, self.server, self.tokenEndpoint, self.scope) =
      (login, server, tokenEndpoint, scope)
  }

  func run(
    within limit: Duration?, show: @Sendable (DeviceAuthorization) async -> Void
  ) async throws(SDKError) -> LoginResult {
    await show(authorization)
    let polling = DevicePolling(
      authorization, at: tokenEndpoint, now: login.environment.now, pause: login.environment.pause)
    var response: TokenResponse
    let subject: String?
    do {
      response = try await polling.tokens(within: limit?.components.seconds)
      if !scope.asksIDToken { try response.dropIDToken() }
      subject = try await login.server.subject(
        of: response, from: server, clientID: tokenEndpoint.client.clientID, nonce: nil)
    } catch {
      throw SDKError(cause: error)
    }
    return try await login.keep(
      response, of: server, for: TokenTarget(scope: scope.text), subject: subject)
  }
}
