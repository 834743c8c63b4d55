import HTTP
import JSON
import OAuth
import POSIX
import Primitives

/// Sends one resource request: checks it, adds the credential, follows redirects, and sends it again
/// with a new credential after a 401.
///
/// Checks that need no connection are made before the first connection.
///
/// A task has memory for all that a function may need, and the functions inlined into it. So what few
/// requests need is in functions that are not inlined: each request of a batch needs less memory.
final class ResourcePipeline: Sendable {
  let resources: ResourceService
  let access: Access
  /// Lets the user log in if that is needed; `nil` if no login may be started.
  let logIn: LoginHandler?
  /// Suspends and resumes the transfer; `nil` if nothing does.
  private let gate: TransferGate?
  /// The user in whose name the request was made; `nil` for requests in no user's name.
  let owner: RequestOwner?
  /// The observers of the session at the start of the request.
  let observers: [any RequestObserver]
  let id = ObservedRequest.ID.unique()

  init(
    resources: ResourceService, access: Access, owner: RequestOwner? = nil,
    logIn: LoginHandler? = nil, gate: TransferGate? = nil
  ) {
    self.owner = access.isOfUser ? owner ?? RequestOwner(resources.tokens.slots) : nil
    self.gate = gate
    self.resources = resources
    self.access = access
    self.logIn = logIn
    observers = resources.observers.all
  }

  var environment: SessionEnvironment { resources.environment }
  var tokens: TokenService { resources.tokens }

  func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver
  ) async throws(SDKError) -> HTTPResponse {
    let result = await result(of: request, body)
    for observer in observers { await observer.didComplete(id, with: result) }
    return try result.get()
  }

  @inline(never)
  private func result(
    of request: ResourceRequest, _ body: HTTPBodyReceiver
  ) async -> Result<HTTPResponse, SDKError> {
    do throws(SDKError) {
      if let logIn, access.isOfUser, tokens.slots.injected == nil {
        return .success(try await send(request, receiving: body, loggingInBy: logIn))
      }
      return .success(try await attempt(request, body, mayStepUp: false).response)
    } catch {
      return .failure(error)
    }
  }

  /// Sends the request; if a login is needed, lets the user log in and sends it again.
  @inline(never)
  private func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver, loggingInBy logIn: LoginHandler
  ) async throws(SDKError) -> HTTPResponse {
    var options = LoginOptions(repeating: try tokens.slots.provider(in: .user)?.tokens)
    do throws(SDKError) {
      let attempt = try await attempt(request, body, mayStepUp: true)
      guard let stepUp = attempt.stepUp else { return attempt.response }
      for pair in stepUp.parameters { options.parameters.append(pair.name, pair.value) }
    } catch {
      guard error.asksForLogin else { throw error }
    }
    try await logIn(options)
    try owner?.confirm(nil)
    guard request.body?.rewind() ?? true else { throw Self.bodyNotRepeatable }
    return try await attempt(request, body, mayStepUp: false).response
  }

  /// The result of sending a request with one login.
  private struct Attempt {
    let response: HTTPResponse
    /// The login that the resource requires; then the response was not delivered.
    var stepUp: StepUp?
  }

  /// Sends the request with the credential of the access.
  ///
  /// With `mayStepUp`, a response that requires another login is not delivered.
  @inline(never)
  private func attempt(
    _ request: ResourceRequest, _ body: HTTPBodyReceiver, mayStepUp: Bool
  ) async throws(SDKError) -> Attempt {
    let httpRequest = try checked(request)
    if let slot = access.slot {
      return try await attempt(httpRequest, body, with: slot, mayStepUp: mayStepUp)
    }
    return Attempt(
      response: try await followRedirects(of: httpRequest, nil, body, .none).response)
  }

  /// Sends the request; after a refusal of the credential, sends it again with a new one.
  @inline(never)
  private func attempt(
    _ httpRequest: HTTPRequest, _ body: HTTPBodyReceiver, with slot: CredentialSlot,
    mayStepUp: Bool
  ) async throws(SDKError) -> Attempt {
    let provider = try await validProvider(in: slot, for: httpRequest)
    try confirm(provider)
    let isRepeatable = httpRequest.body.rewind()
    let observer = observers.last { $0.answersRefusal(of: provider, as: access) }
    var budget = RetryBudget(
      renews: isRepeatable && observer != nil,
      stepsUp: isRepeatable && mayStepUp, repeatsForNonce: isRepeatable)
    let first = try await followRedirects(of: httpRequest, provider, body, budget)
    guard first.carriedToken else { return Attempt(response: first.response) }
    switch first.refusal(ofBound: provider.tokens?.isBound ?? false) {
    case .login(let stepUp) where budget.stepsUp:
      return Attempt(response: first.response, stepUp: stepUp)
    case .token where budget.renews: break
    case _ where first.leadsToLogin: throw loginPageError
    default: return Attempt(response: first.response)
    }
    // The server refused the credential before it expired: get a new one, and send once more.
    let renewed = try await renewedProvider(by: observer, after: provider, first.response)
    try confirm(renewed)
    try requireMatchingCookie(in: renewed, for: httpRequest)
    guard httpRequest.body.rewind() else { throw Self.bodyNotRepeatable }
    budget.renews = false
    budget.repeatsForNonce = !first.repeated
    let second = try await followRedirects(of: httpRequest, renewed, body, budget)
    if second.leadsToLogin { throw loginPageError }
    guard second.carriedToken, budget.stepsUp,
      case .login(let stepUp) = Refusal(
        second.response, ofBound: renewed.tokens?.isBound ?? false)
    else { return Attempt(response: second.response) }
    return Attempt(response: second.response, stepUp: stepUp)
  }

  /// Makes the HTTP request, and checks all that can be checked without a connection.
  @inline(never)
  func checked(_ request: ResourceRequest) throws(SDKError) -> HTTPRequest {
    try resources.process.require()
    if let slot = access.slot {
      do { try tokens.gate.require(slot) } catch { throw error.during(access.action) }
    }
    var httpRequest = try request.http(
      relativeTo: resources.baseURL, domain: access.domain)
    httpRequest.gate = gate
    if let slot = access.slot,
      case .cookies(let session) = try tokens.slots.provider(in: slot, isRecent: true)
    {
      try requireNoCookieField(in: request)
      try requireMatchingCookie(in: .cookies(session), for: httpRequest)
    }
    guard access.slot != nil, !resources.profile.allowsCredential(to: httpRequest.url) else {
      return httpRequest
    }
    let origin = httpRequest.url.origin
    throw SDKError(
      .policy, "could not send the token to \(origin): the profile does not allow that host",
      subject: origin, remedy: allowing(httpRequest.url))
  }

  private var loginPageError: SDKError {
    tokens.slots.expired("the server leads to the page of the login")
  }

  private static let bodyNotRepeatable = SDKError(
    .localData, "could not send the request again: its body cannot be read a second time")

  /// The setting of the profile that allows the host in addition to the allowed ones; `nil` for http.
  private func allowing(_ url: HTTPURL) -> Remedy? {
    guard url.scheme == .https else { return nil }
    let hosts = (resources.profile["allowedHosts"]?.strings ?? []) + [url.authority]
    return .setProfile(key: "allowedHosts", value: hosts.joined(separator: ","))
  }

  /// Sends the request with a credential and follows its redirects.
  private func followRedirects(
    of request: HTTPRequest, _ provider: AuthorizationProvider?, _ body: HTTPBodyReceiver,
    _ budget: RetryBudget
  ) async throws(SDKError) -> Redirects.Result {
    let transport = ObservedTransport(
      try resources.transport(for: provider?.tokens), observers, id: id, origin: request.url)
    let redirects = redirects(over: transport, provider, budget)
    var (request, credential) = (request, Credential?.none)
    if let provider { (request, credential) = try await authorized(request, by: provider) }
    do {
      return try await redirects.send(request, credential, receiving: body)
    } catch {
      throw failure(of: request, error, transport.failure)
    }
  }

  private func redirects(
    over transport: ObservedTransport, _ provider: AuthorizationProvider?, _ budget: RetryBudget
  ) -> Redirects {
    let profile = resources.profile
    return Redirects(
      over: transport, budget,
      mayCarryBody: { profile.allowsCredential(to: $0) },
      loginPage: provider?.isOfForm == true ? profile.loginPage : nil,
      loginPageText: provider?.isOfForm == true ? profile.loginPageText : nil)
  }

  /// The request with the client certificate that its token is bound to, and its credential.
  @inline(never)
  private func authorized(
    _ request: HTTPRequest, by provider: AuthorizationProvider
  ) async throws(SDKError) -> (HTTPRequest, Credential) {
    guard let tokens = provider.tokens else {
      return (request, Credential(provider, dpop: nil, now: environment.clock.now))
    }
    let proof = try self.tokens.proof(of: tokens)
    var request = request
    request.clientCertificate = try await self.tokens.certificate(boundTo: tokens.accessToken)
    return (request, Credential(provider, dpop: proof, now: environment.clock.now))
  }

  /// The failure of an observer, or else the transport's.
  @inline(never)
  private func failure(
    of request: HTTPRequest, _ error: TransportError, _ failure: SDKError?
  ) -> SDKError {
    let action = "could not fetch \(request.url.origin)\(request.url.path)"
    return failure?.during(action) ?? SDKError(error, action)
  }
}

extension Redirects.Result {
  /// Why the response refuses the credential; `nil` if it does not.
  fileprivate func refusal(ofBound isBound: Bool) -> Refusal? {
    leadsToLogin ? .token : Refusal(response, ofBound: isBound)
  }
}

extension HTTPResponse {
  /// Whether the server refuses the token: 401, or the 419 of OneWelcome (Onegini) servers.
  var refusesToken: Bool { status == 401 || status == 419 }
}
