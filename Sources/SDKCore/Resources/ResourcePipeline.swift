import HTTP
import JSON
import OAuth
import POSIX
import Primitives

/// Sends a resource request the whole way: slot, request, host, pins, transfer, redirects, 401.
///
/// Whatever can fail before a connection is made fails before it.
struct ResourcePipeline: Sendable {
  let resources: ResourceService
  let access: Access
  /// Logs the user in when nothing else helps; `nil` where no person is to be asked.
  var logIn: LoginHandler?
  /// What suspends the transfer.
  private let gate: TransferGate?
  /// When the transfer may start; `nil` for at once.
  private let turn: TransferTurn?
  /// The observers of the session, as the request began.
  let observers: [any RequestObserver]
  let id = ObservedRequest.ID.unique()

  init(
    resources: ResourceService, access: Access, logIn: LoginHandler? = nil,
    gate: TransferGate? = nil, turn: TransferTurn? = nil
  ) {
    self.gate = gate
    self.turn = turn
    self.resources = resources
    self.access = access
    self.logIn = logIn
    observers = resources.environment.observers.all
  }

  var environment: SessionEnvironment { resources.environment }
  var tokens: TokenService { resources.tokens }

  func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver
  ) async throws(SDKError) -> HTTPResponse {
    let result: Result<HTTPResponse, SDKError>
    do throws(SDKError) {
      result = .success(try await sendUnobserved(request, receiving: body))
    } catch {
      result = .failure(error)
    }
    for observer in observers { await observer.didComplete(id, with: result) }
    return try result.get()
  }

  private func sendUnobserved(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver
  ) async throws(SDKError) -> HTTPResponse {
    guard let logIn, access.isOfUser, environment.injectedToken == nil else {
      return try await attempt(request, body, mayStepUp: false).response
    }
    let before = try tokens.slots.provider(in: .user)?.tokens
    var options = LoginOptions(like: before)
    var stepsUp = false
    do throws(SDKError) {
      let attempt = try await attempt(request, body, mayStepUp: true)
      guard let stepUp = attempt.stepUp else { return attempt.response }
      for pair in stepUp.parameters { options.parameters.append(pair.name, pair.value) }
      stepsUp = true
    } catch {
      guard error.asksForLogin else { throw error }
    }
    try await logIn(options)
    if stepsUp { try resources.requireSameLogin(as: before) }
    guard request.body?.rewind() ?? true else { throw Self.spent }
    return try await attempt(request, body, mayStepUp: false).response
  }

  /// What a request returned, and the login that it requires; that response was not delivered.
  private struct Attempt {
    let response: HTTPResponse
    var stepUp: StepUp?
  }

  private func attempt(
    _ request: ResourceRequest, _ body: HTTPBodyReceiver, mayStepUp: Bool
  ) async throws(SDKError) -> Attempt {
    let plain = try checked(request)
    guard let slot = access.slot else {
      return Attempt(response: try await follow(plain, nil, body, .none).response)
    }
    let provider = try await usable(slot, for: plain)
    let isRepeatable = plain.body.rewind()
    let observer = observers.last { $0.answersRefusal(of: provider, as: access) }
    var budget = RetryBudget(
      renews: isRepeatable && observer != nil,
      stepsUp: isRepeatable && mayStepUp, repeatsForNonce: isRepeatable)
    let first = try await follow(plain, provider, body, budget)
    guard first.carriedToken else { return Attempt(response: first.response) }
    switch first.refusal(ofBound: provider.tokens?.isBound ?? false) {
    case .login(let stepUp) where budget.stepsUp:
      return Attempt(response: first.response, stepUp: stepUp)
    case .token where budget.renews: break
    case _ where first.leadsToLogin: throw leadsToLogin()
    default: return Attempt(response: first.response)
    }
    // The server refused the token before its time: one new one, one more try.
    let renewed = try await reauthenticated(observer, after: provider, first.response)
    try require(renewed, fits: plain)
    guard plain.body.rewind() else { throw Self.spent }
    budget.renews = false
    budget.repeatsForNonce = !first.repeated
    let second = try await follow(plain, renewed, body, budget)
    if second.leadsToLogin { throw leadsToLogin() }
    guard second.carriedToken, budget.stepsUp,
      case .login(let stepUp) = Refusal(
        second.response, ofBound: renewed.tokens?.isBound ?? false)
    else { return Attempt(response: second.response) }
    return Attempt(response: second.response, stepUp: stepUp)
  }

  /// The HTTP request, after every check that needs no connection.
  func checked(_ request: ResourceRequest) throws(SDKError) -> HTTPRequest {
    try resources.checkProcess()
    if let slot = access.slot {
      do { try tokens.gate.require(slot) } catch { throw error.during(access.action) }
    }
    var plain = try request.http(
      relativeTo: environment.requestRules.resourceURL, domain: access.domain)
    plain.gate = gate
    plain.turn = turn
    if let slot = access.slot,
      case .cookies(let session) = try tokens.slots.provider(in: slot, isRecent: true)
    {
      try requireNoCookies(in: request)
      try require(.cookies(session), fits: plain)
    }
    guard access.slot != nil, !resources.profile.allowsCredential(to: plain.url) else {
      return plain
    }
    throw SDKError(
      .policy,
      "could not send the token to \(plain.url.origin): the profile does not allow that host",
      subject: plain.url.origin, remedy: allowing(plain.url))
  }

  private func leadsToLogin() -> SDKError {
    tokens.slots.expired("the server leads to the page of the login")
  }

  private static let spent = SDKError(
    .localData, "could not send the request again: its body cannot be read a second time")

  /// The setting that allows one more host, and keeps those that are allowed.
  private func allowing(_ url: HTTPURL) -> Remedy? {
    guard url.scheme == .https else { return nil }
    let hosts = (resources.profile["allowedHosts"]?.strings ?? []) + [url.authority]
    return .setProfile(key: "allowedHosts", value: hosts.joined(separator: ","))
  }

  private func follow(
    _ request: HTTPRequest, _ provider: AuthorizationProvider?, _ body: HTTPBodyReceiver,
    _ budget: RetryBudget
  ) async throws(SDKError) -> Redirects.Result {
    let tokens = provider?.tokens
    let credential = try provider.map { (provider) throws(SDKError) in
      Credential(
        provider,
        dpop: try tokens.flatMap { (tokens) throws(SDKError) in
          try self.tokens.server.dpop.proof(of: tokens)
        }, now: environment.now)
    }
    let profile = resources.profile
    let transport = ObservedTransport(
      try resources.transport(for: tokens), observers, id: id, origin: request.url)
    let hops = Redirects(
      transport: transport, budget: budget,
      mayCarryBody: { profile.allowsCredential(to: $0) },
      loginPage: provider?.isOfForm == true ? profile.loginPage : nil,
      loginPageText: provider?.isOfForm == true ? profile.loginPageText : nil)
    var request = request
    if let tokens {
      request.clientCertificate = try await self.tokens.certificate(boundTo: tokens.accessToken)
    }
    do {
      return try await hops.send(request, credential, receiving: body)
    } catch {
      let action = "could not fetch \(request.url.origin)\(request.url.path)"
      throw transport.failure?.during(action) ?? SDKError(error, action)
    }
  }
}

extension Redirects.Result {
  /// Why the response refuses the credential; `nil` if it does not.
  fileprivate func refusal(ofBound isBound: Bool) -> Refusal? {
    leadsToLogin ? .token : Refusal(response, ofBound: isBound)
  }
}

extension HTTPResponse {
  /// Whether the token counts no longer: 401, or the 419 of servers of the Onegini family.
  var refusesToken: Bool { status == 401 || status == 419 }
}
