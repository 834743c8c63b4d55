import HTTP
import OAuth
import Primitives

extension ResendEngine {
  private static let bodyNotRepeatable = SDKError(
    .localData, "could not send the request again: its body cannot be read a second time")

  @inline(never)
  func start(_ state: inout State) async throws(SDKError) -> Hop {
    var prepared = state.request
    prepare?(&prepared)
    var request = try await resources.checked(prepared, as: access)
    request.gate = gate
    if state.hasSent, !request.body.rewind() { throw Self.bodyNotRepeatable }
    state.wasRepeatable = request.body.rewind()
    guard let slot = access.slot else {
      var hop = Hop(request, request, over: try await resources.transport(for: nil), with: nil)
      try hop.turn(along: state.request.pages)
      return hop
    }
    let provider: AuthorizationProvider
    if let renewed = state.renewed {
      try await confirm(renewed)
      try requireMatchingCookie(in: renewed, for: request)
      provider = renewed
    } else {
      provider = try await validProvider(in: slot, for: request)
      try await confirm(provider)
    }
    let (bound, credential) = try await authorized(request, by: provider)
    var hop = Hop(
      request, bound, over: try await resources.transport(for: provider.tokens), with: credential)
    hop.provider = provider
    hop.renewer = observers.last { $0.answersRefusal(of: provider, as: access) }
    try hop.turn(along: state.request.pages)
    return hop
  }

  func transmit(
    _ hop: Hop, to body: HTTPBodyReceiver, _ state: inout State
  ) async throws(SDKError) -> End {
    let nonce = hop.credential?.dpop?.nonce(for: hop.request.url)
    let observed = try await observed(hop)
    let context = context(of: hop, nonce, observed.certificateRule)
    let judge = { [self, state] (response: HTTPResponse, isEnough: Bool) -> Meaning? in
      Meaning.of(response, isEnough: isEnough, to: hop.request, in: context)
        .map { mayFollow($0, response, hop, state) ? $0 : .deliver }
    }
    let notify = { [observers] (response: HTTPResponse) in
      for observer in observers { observer.didReceive(response, to: observed) }
    }
    var (receiver, held) = (body, HeldResponse?.none)
    if case .sink(let sink) = body {
      let made = HeldResponse(sink, arrived: notify, judge: judge)
      (receiver, held) = (.sink(made), made)
    }
    state.hasSent = true
    let (result, meaning): (Result<HTTPResponse, TransportError>, Meaning)
    do throws(TransportError) {
      var response = try await hop.transport.send(observed.sent, receiving: receiver)
      if held == nil { notify(response) }
      if let identity = observed.identity,
        !observed.isGuess || response.certificateRequest != nil
      {
        response.clientIdentity = identity.name.description
      }
      (result, meaning) = (.success(response), held?.meaning ?? judge(response, true) ?? .deliver)
    } catch {
      if let decided = held?.decided {
        // What the head has decided holds, whatever became of the body.
        (result, meaning) = (.success(decided.response), decided.meaning)
      } else {
        (result, meaning) = (.failure(error), self.meaning(of: error, context, state))
      }
    }
    if case .success(let response) = result { hop.credential?.dpop?.learn(from: response) }
    if held?.hasBegun == true { state.hasBegun = true }
    return End(
      observed: observed, context: context, held: held, result: result, meaning: meaning)
  }

  private func observed(_ hop: Hop) async throws(SDKError) -> ObservedRequest {
    var request = hop.request
    do throws(TransportError) { try hop.credential?.authorize(&request) } catch {
      throw SDKError(error, hop.action)
    }
    var observed = ObservedRequest(id: id, request, isAtOrigin: hop.isAtOrigin)
    for observer in observers {
      do { try await observer.willSend(&observed) } catch { throw error.during(hop.action) }
    }
    return observed
  }

  private func context(
    of hop: Hop, _ nonce: String?, _ rule: ObservedRequest.CertificateRule?
  ) -> Meaning.Context {
    var context = Meaning.Context(
      certificateRule: rule, hasCredential: hop.credential != nil,
      isBound: hop.credential?.dpop != nil, nonce: nonce)
    if hop.provider != nil {
      context.isOwn = { [profile = resources.profile] in profile.allowsCredential(to: $0) }
    }
    if hop.provider?.isOutsideOAuth == true, let page = resources.profile.loginPage,
      !hop.first.url.isPage(page)
    {
      (context.loginPage, context.loginPageText) = (page, resources.profile.loginPageText)
    }
    return context
  }

  @inline(never)
  private func authorized(
    _ request: HTTPRequest, by provider: AuthorizationProvider
  ) async throws(SDKError) -> (HTTPRequest, Credential) {
    guard let tokens = provider.tokens else {
      return (request, Credential(provider, dpop: nil, now: environment.clock.now))
    }
    let proof = try await self.tokens.proof(of: tokens)
    var request = request
    request.clientCertificate = try await self.tokens.certificate(boundTo: tokens.accessToken)
    return (request, Credential(provider, dpop: proof, now: environment.clock.now))
  }
}

extension Hop {
  fileprivate mutating func turn(along pages: [HTTPURL]) throws(SDKError) {
    for page in pages {
      do throws(TransportError) { try turn(to: page) } catch { throw SDKError(error, action) }
    }
  }
}

extension ResendEngine {
  /// The valid credential of a slot; it is renewed if it has expired by this machine's clock.
  func validProvider(
    in slot: CredentialSlot, for request: HTTPRequest
  ) async throws(SDKError) -> AuthorizationProvider {
    guard let stored = try await tokens.slots.provider(in: slot, isRecent: true),
      stored.isOutsideOAuth
    else {
      return AuthorizationProvider(try await tokens.valid(for: slot))
    }
    if isUsable(stored, for: request) { return stored }
    guard let observer = observers.last(where: { $0.answersRefusal(of: stored, as: access) })
    else { throw tokens.slots.expired("it has expired") }
    let renewed = try await renewedProvider(by: observer, after: stored, nil)
    try requireMatchingCookie(in: renewed, for: request)
    return renewed
  }

  /// Lets an observer get a new credential, and returns it.
  ///
  /// The response is the one that refused the old credential; `nil` if that had expired.
  func renewedProvider(
    by observer: (any RequestObserver)?, after provider: AuthorizationProvider,
    _ response: HTTPResponse?
  ) async throws(SDKError) -> AuthorizationProvider {
    guard let slot = access.slot else { throw tokens.slots.notLoggedIn() }
    try await observer?.reauthenticate(
      after: CredentialRefusal(id: id, access: access, provider: provider, response: response))
    guard let renewed = try await tokens.slots.provider(in: slot) else {
      throw tokens.slots.notLoggedIn()
    }
    return renewed
  }

  /// Refreshes a refused token although the body cannot be sent again, if nobody is asked for it.
  ///
  /// Otherwise every request with such a body would be refused until the token expires by this machine's clock. The
  /// response was delivered; why a token cannot be refreshed is told to the next request.
  func refreshForNextRequest(after end: End, _ hop: Hop, _ state: State) async {
    guard state.mayRenew, let renewer = hop.renewer,
      resources.profile.reauthentication ?? .refresh == .refresh,
      let provider = hop.provider, access == .anonymous || provider.tokens?.refreshToken != nil,
      let response = end.response,
      case .refused? = Meaning.of(response, isEnough: true, to: hop.request, in: end.context)
    else { return }
    _ = try? await renewedProvider(by: renewer, after: provider, response)
  }

  /// Refuses the credential of another user than the one in whose name the request was made.
  func confirm(_ provider: AuthorizationProvider) async throws(SDKError) {
    // An implicit token does not name its user: it is of the one who is logged in.
    try await owner?.confirm(access == .user ? provider : nil)
  }

  func requireMatchingCookie(
    in provider: AuthorizationProvider, for request: HTTPRequest
  ) throws(SDKError) {
    if case .cookies(let session) = provider { try session.requireCookie(for: request.url) }
  }

  private func isUsable(_ provider: AuthorizationProvider, for request: HTTPRequest) -> Bool {
    let now = environment.now()
    switch provider {
    case .cookies(let session): return session.header(for: request.url, at: now) != nil
    case .jwt(let tokens): return tokens.isValid(at: now, minimumLifetime: 0)
    case .bearer, .dpop: return true
    }
  }
}

extension ResendEngine.End {
  /// Why the credential was not accepted: by a page of the login, which may be of another host.
  var refusalCause: String {
    guard let response, let target = response.redirectTarget, target.host != response.url.host
    else { return "the server leads to the page of the login" }
    return "\(response.url.host) redirects to the login page of \(target.host)"
  }
}
