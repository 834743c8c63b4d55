import HTTP
import OAuth
import Primitives

/// Sends one resource request, and sends it again as long as what comes back asks for that.
///
/// ``Meaning`` says what a response means. Here is what follows: at the same place with another proof or
/// another identity, at the place that a redirect names, or from the first URL with another credential,
/// after a login, or after a wait. Nothing else of the library sends a resource request again.
final class ResendEngine: Sendable {
  let resources: ResourceService
  let access: Access
  /// The user in whose name the request was made; `nil` for requests in no user's name.
  let owner: RequestOwner?
  let logIn: LoginHandler?
  let policy: RetryPolicy?
  let gate: TransferGate?
  let prepare: (@Sendable (inout ResourceRequest) -> Void)?
  let observers: [any RequestObserver]
  let id = ObservedRequest.ID.unique()

  init(
    _ resources: ResourceService, _ access: Access, of owner: RequestOwner? = nil,
    loggingIn logIn: LoginHandler? = nil, retrying policy: RetryPolicy? = nil,
    through gate: TransferGate? = nil,
    preparing prepare: (@Sendable (inout ResourceRequest) -> Void)? = nil
  ) async {
    self.resources = resources
    self.access = access
    if let owner, access.isOfUser {
      self.owner = owner
    } else {
      self.owner = access.isOfUser ? await RequestOwner(resources.tokens.slots) : nil
    }
    let mayLogIn = access.isOfUser && resources.tokens.slots.injected == nil
    self.logIn = mayLogIn ? logIn : nil
    self.policy = policy
    self.gate = gate
    self.prepare = prepare
    observers = resources.observers.all
  }

  var environment: SessionEnvironment { resources.environment }
  var tokens: TokenService { resources.tokens }

  func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver
  ) async throws(SDKError) -> HTTPResponse {
    let result = await Result { () async throws(SDKError) in try await exchange(request, body) }
    for observer in observers { await observer.didComplete(id, with: result) }
    return try result.get()
  }

  private func exchange(
    _ request: ResourceRequest, _ body: HTTPBodyReceiver
  ) async throws(SDKError) -> HTTPResponse {
    var state = State(request)
    if logIn != nil {
      let stored = try await tokens.slots.provider(in: .user, isRecent: true)
      state.login = resources.login(like: stored)
    }
    while true {
      do throws(SDKError) {
        let hop = if let hop = state.hop { hop } else { try await start(&state) }
        let end = try await transmit(hop, to: body, &state)
        if try await isLast(end, hop, &state) { return try deliver(end, hop) }
      } catch {
        try await recover(from: error, &state, body)
      }
    }
  }

  /// Where the request is, and what is left of each budget.
  struct State: Sendable {
    let request: ResourceRequest
    /// `nil` if it begins at its first URL.
    var hop: Hop?
    /// The credential to begin with; `nil` for that of the slot.
    var renewed: AuthorizationProvider?
    /// The login that may be asked for, once.
    var login: Remedy.Login?
    var mayRenew = true
    var mayAnswerNonce = true
    var identities = 5
    var attempts = 0
    /// Whether the caller needed another response once.
    var hasChanged = false
    /// Whether the body of the request could be read again before it was sent.
    var wasRepeatable = true
    var hasSent = false
    /// Whether the caller has received something of a response.
    var hasBegun = false

    init(_ request: ResourceRequest) { self.request = request }

    var isRepeatable: Bool { wasRepeatable && request.body?.mayRewind ?? true }

    /// Begins again at the first URL, after a time in which tokens and nonces may have changed.
    mutating func restart() {
      (hop, renewed) = (nil, nil)
      (mayRenew, mayAnswerNonce) = (true, true)
    }
  }

  struct End: Sendable {
    let observed: ObservedRequest
    let context: Meaning.Context
    let held: HeldResponse?
    let result: Result<HTTPResponse, TransportError>
    let meaning: Meaning

    var response: HTTPResponse? { try? result.get() }
  }

  private func deliver(_ end: End, _ hop: Hop) throws(SDKError) -> HTTPResponse {
    switch end.result {
    case .failure(let error):
      let failure = SDKError(error, hop.action)
      // What was closed may have failed for another reason.
      guard let refusal = error.certificateRefusal, refusal.kind != .closed else { throw failure }
      throw failure.with(remedy: .importIdentity(host: hop.request.url.host))
    case .success(var response):
      guard end.held?.deliver() != false else {
        throw SDKError(
          TransportError(
            .responseBodyRefused, "the response could not be delivered",
            host: hop.request.url.host), hop.action)
      }
      hop.addMetrics(to: &response)
      return response
    }
  }

  func mayFollow(
    _ meaning: Meaning, _ response: HTTPResponse, _ hop: Hop, _ state: State
  ) -> Bool {
    switch meaning {
    case .deliver, .redirect, .refused(byLoginPage: true): true
    case .identity: state.identities > 0 && state.isRepeatable
    case .nonce: state.mayAnswerNonce && state.isRepeatable
    case .refused: state.mayRenew && hop.renewer != nil && state.isRepeatable
    case .login: state.login != nil && state.isRepeatable
    case .later: wait(state, retryAfter: response.retryAfter(at: environment.now())) != nil
    }
  }

  func meaning(
    of error: TransportError, _ context: Meaning.Context, _ state: State
  ) -> Meaning {
    guard context.certificateRule != nil, let refusal = error.certificateRefusal,
      state.identities > 0, !refusal.hasSent || state.isRepeatable
    else { return .deliver }
    return .identity(refusal)
  }

  /// Whether nothing follows; otherwise `state` says where the request goes next.
  private func isLast(
    _ end: End, _ hop: Hop, _ state: inout State
  ) async throws(SDKError) -> Bool {
    var hop = hop
    switch end.meaning {
    case .deliver:
      await refreshForNextRequest(after: end, hop, state)
      return true
    case .identity(let refusal):
      if try await isSentAgain(after: refusal, end.observed, hop) {
        state.identities -= 1
        // Nothing was read of one that cannot be rewound: see `meaning(of:)`.
        _ = hop.request.body.rewind()
        state.hop = hop
        return false
      }
      return try await isLast(withoutIdentity(end, hop, state), hop, &state)
    case .nonce:
      state.mayAnswerNonce = false
      _ = hop.request.body.rewind()
      hop.pass(end.response?.metrics)
      state.hop = hop
    case .redirect:
      try attempt(hop.action) {
        if let response = end.response {
          try hop.follow(response) { resources.profile.allowsCredential(to: $0) }
        }
      }
      hop.pass(end.response?.metrics)
      state.hop = hop
    case .refused:
      guard state.mayRenew, state.isRepeatable, let renewer = hop.renewer,
        let provider = hop.provider
      else { throw tokens.slots.expired(end.refusalCause) }
      state.mayRenew = false
      (state.hop, state.renewed) = (
        nil, try await renewedProvider(by: renewer, after: provider, end.response)
      )
    case .login(let stepUp):
      guard var login = state.login else { return true }
      login.satisfy(stepUp)
      try await logIn(login, &state)
    case .later:
      let retryAfter = end.response?.retryAfter(at: environment.now())
      guard let wait = wait(state, retryAfter: retryAfter) else { return true }
      try await pause(wait, "the server returned \(end.response?.status ?? 0)", &state)
    }
    return false
  }

  /// The end of a transfer in which no certificate was refused.
  private func withoutIdentity(_ end: End, _ hop: Hop, _ state: State) -> End {
    var context = end.context
    context.certificateRule = nil
    var meaning = Meaning.deliver
    if let response = end.held?.waiting ?? end.response,
      let other = Meaning.of(response, isEnough: true, to: hop.request, in: context),
      mayFollow(other, response, hop, state)
    {
      meaning = other
    }
    return End(
      observed: end.observed, context: context, held: end.held, result: end.result,
      meaning: meaning)
  }

  private func isSentAgain(
    after refusal: ClientCertificateRefusal, _ observed: ObservedRequest, _ hop: Hop
  ) async throws(SDKError) -> Bool {
    for observer in observers {
      let reaction = try await attempt(hop.action) {
        try await observer.didReceive(refusal, to: observed)
      }
      if reaction == .resend { return true }
    }
    return false
  }

  /// Lets the user log in, starts again or waits, if that may help against an error.
  @inline(never)
  private func recover(
    from error: SDKError, _ state: inout State, _ body: HTTPBodyReceiver
  ) async throws(SDKError) {
    if error.asksForLogin, let login = state.login { return try await logIn(login, &state) }
    if case .sink(let sink) = body, sink.wantsRestart, !state.hasChanged, state.isRepeatable,
      sink.restart()
    {
      (state.hasChanged, state.hasBegun) = (true, false)
      return state.restart()
    }
    guard error.code == .network, let wait = wait(state, retryAfter: nil) else { throw error }
    if state.hasBegun {
      guard case .sink(let sink) = body, sink.restart() else { throw error }
      state.hasBegun = false
    }
    for observer in observers { observer.didFail(id, with: error) }
    try await pause(wait, error.message, &state)
  }

  private func logIn(_ login: Remedy.Login, _ state: inout State) async throws(SDKError) {
    state.login = nil
    do {
      try await logIn?(LoginOptions(login))
      try await owner?.confirm(nil)
    } catch {
      // A request is tried again, a login is not.
      state.attempts = .max
      throw error
    }
    state.restart()
  }

  private func wait(_ state: State, retryAfter: Duration?) -> Duration? {
    guard let policy, state.attempts < policy.count, state.isRepeatable,
      RetryPolicy.mayRepeat(state.request.method)
    else { return nil }
    let wait = policy.delay(before: state.attempts, retryAfter: retryAfter)
    return environment.clock.limits.remaining.map { wait < $0 } ?? true ? wait : nil
  }

  private func pause(
    _ wait: Duration, _ cause: String, _ state: inout State
  ) async throws(SDKError) {
    state.attempts += 1
    policy?.report?(cause, wait, state.attempts)
    do {
      try await environment.clock.pause(wait)
    } catch {
      throw SDKError(.cancelled, "could not send the request again: it was cancelled")
    }
    state.restart()
  }
}
