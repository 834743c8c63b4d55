import HTTP
import OAuth
import POSIX

extension CodeFlow {
  /// Prepares a flow whose response arrives by a route; the route is closed if that fails.
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
  func run(
    over route: some ResponseRoute, within limit: Duration?, attempts: Int
  ) async throws(SDKError) -> LoginResult {
    try await run(over: route, within: limit, attempts: attempts) {
      (authorization) throws(SDKError) in
      try await finish(authorization)
    }
  }

  /// The same; `ending` handles the response.
  func run<Value: Sendable>(
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
        throw SDKError(.network, "\(action): \(cause) in time", remedy: remedyForSilence)
      }
    }
    throw expected.error(
      flaw,
      "the address is not the response to this request: \(flaw.text); the whole address is needed, beginning "
        + "with \(request.redirectURI)")
  }
}

extension CodeFlow {
  /// What may help if a server shows an error in the browser and sends nobody back.
  private var remedyForSilence: Remedy {
    .allowRequest(redirectURI: request.redirectURI, scope: request.scope, isSigned: signs)
  }
}
