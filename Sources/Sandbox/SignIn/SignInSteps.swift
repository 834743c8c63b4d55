/// The way of a person through a login or a device's question: sign in, consent, done.
struct SignInSteps {
  let exchange: Exchange
  /// A session cookie that this very exchange sets.
  var newSession: String?

  init(exchange: Exchange, newSession: String? = nil) {
    self.exchange = exchange
    self.newSession = newSession
  }

  private enum Step: Equatable {
    case signUp
    case signIn
    case secondFactor
    case consent
    case finish
    /// Somebody else signed in than the client wants.
    case refuse
  }

  /// Starts a transaction, and answers at once where no person is needed.
  func begin(_ purpose: Transaction.Purpose) -> Response {
    let browser = exchange.cookie(Cookies.browser) ?? Secret.make()
    let transaction = Transaction(
      purpose: purpose, expiresAt: exchange.now + Transactions.lifetime, browser: browser,
      fault: exchange.fault)
    if case .login(let request) = purpose, request.prompts.contains("none") {
      return silent(request, transaction)
    }
    let id = exchange.sandbox.change { $0.transactions.begin(transaction, now: exchange.now) }
    return proceed(id, transaction).with(.setCookie, Cookies.kept(Cookies.browser, browser))
  }

  /// Leads to the next step of a transaction, or to its end.
  func proceed(_ id: String, _ transaction: Transaction) -> Response {
    switch nextStep(of: transaction) {
    case .signUp: .seeOther("/sign-up?t=\(id)")
    case .signIn: .seeOther("/sign-in?t=\(id)")
    case .secondFactor: .seeOther("/one-time-code?t=\(id)")
    case .consent: .seeOther("/consent?t=\(id)")
    case .refuse: refuse(id, transaction)
    case .finish: allow(id, transaction)
    }
  }

  /// The person agreed, now or earlier.
  func allow(_ id: String, _ transaction: Transaction) -> Response {
    guard let session else { return .seeOther("/sign-in?t=\(id)") }
    exchange.sandbox.change { $0.transactions.end(id) }
    switch transaction.purpose {
    case .login(let request): return finish(request, session, fault: transaction.fault)
    case .device(let userCode):
      exchange.sandbox.change { world in
        guard let request = world.devices.pending(userCode: userCode, now: exchange.now) else {
          return
        }
        let grant = Self.grant(to: request.clientID, request.scopes, by: session)
        world.devices.answer(userCode: userCode, with: .allowed(grant))
      }
      return Pages.done("Your device is connected", "It goes on by itself. Close this window.")
    }
  }

  /// The person said no, at any step.
  func cancel(_ id: String, _ transaction: Transaction) -> Response {
    exchange.sandbox.change { $0.transactions.end(id) }
    switch transaction.purpose {
    case .login(let request):
      return response(to: request, fault: transaction.fault)
        .error(OAuthError("access_denied", "the person refused"))
    case .device(let userCode):
      exchange.sandbox.change { $0.devices.answer(userCode: userCode, with: .denied) }
      return Pages.done("Your device was refused", "Nothing was shared. Close this window.")
    }
  }

  /// Another person than the one of `id_token_hint` signed in.
  private func refuse(_ id: String, _ transaction: Transaction) -> Response {
    exchange.sandbox.change { $0.transactions.end(id) }
    guard case .login(let request) = transaction.purpose else { return cancel(id, transaction) }
    return response(to: request, fault: transaction.fault)
      .error(OAuthError("login_required", "the person of id_token_hint must sign in"))
  }

  // MARK: Private

  private var sessionCookie: String? { newSession ?? exchange.cookie(Cookies.session) }

  private var session: BrowserSessions.Session? {
    let cookie = sessionCookie
    return exchange.sandbox.change { $0.sessions.session(cookie, now: exchange.now) }
  }

  private func nextStep(of transaction: Transaction) -> Step {
    switch transaction.purpose {
    case .device: return session == nil ? .signIn : .consent
    case .login(let request):
      if request.prompts.contains("create"), !transaction.signedIn { return .signUp }
      guard let session, isGood(session, for: request, signedInNow: transaction.signedIn) else {
        return .signIn
      }
      if let subject = request.hintedSubject, subject != session.subject {
        return transaction.signedIn ? .refuse : .signIn
      }
      if request.needsSecondFactor, session.level < .secondFactor { return .secondFactor }
      let known = session.consents[request.clientID] ?? []
      let isKnown = Set(request.scopes).isSubset(of: known)
      return isKnown && !request.prompts.contains("consent") ? .finish : .consent
    }
  }

  private func isGood(
    _ session: BrowserSessions.Session, for request: AuthorizationRequest, signedInNow: Bool
  ) -> Bool {
    if signedInNow { return true }
    if !request.prompts.isDisjoint(with: ["login", "select_account"]) { return false }
    return request.maxAge.map { $0 > 0 && exchange.now - session.authenticatedAt <= $0 } ?? true
  }

  /// `prompt=none`: the answer without any page (OpenID Connect Core section 3.1.2.6).
  private func silent(_ request: AuthorizationRequest, _ transaction: Transaction) -> Response {
    let response = response(to: request, fault: transaction.fault)
    switch (nextStep(of: transaction), session) {
    case (.finish, .some(let session)):
      return finish(request, session, fault: transaction.fault)
    case (.secondFactor, _):
      return response.error(OAuthError("interaction_required", "a second factor is needed"))
    case (.consent, _):
      return response.error(OAuthError("consent_required", "the person must agree first"))
    default: return response.error(OAuthError("login_required", "the person must sign in first"))
    }
  }

  private func finish(
    _ request: AuthorizationRequest, _ session: BrowserSessions.Session, fault: Fault?
  ) -> Response {
    var grant = Self.grant(to: request.clientID, request.scopes, by: session)
    grant.acr = session.level.name(for: request.levels)
    grant.nonce = request.nonce
    grant.keyThumbprint = request.keyThumbprint
    grant.fault = fault?.place == .idToken ? fault : nil
    let cookie = sessionCookie
    let complete = grant
    let code = exchange.sandbox.change { world in
      if let cookie {
        world.sessions.remember(request.scopes, for: request.clientID, cookie: cookie)
      }
      return world.grants.issueCode(
        for: complete, redirectURI: request.redirectURI,
        redirectWasSent: request.redirectWasSent, challenge: request.challenge,
        now: exchange.now)
    }
    return response(to: request, fault: fault).code(code)
  }

  private func response(to request: AuthorizationRequest, fault: Fault?) -> AuthorizationResponse {
    AuthorizationResponse(
      redirectURI: request.redirectURI, responseMode: request.responseMode, state: request.state,
      exchange: exchange, fault: fault)
  }

  private static func grant(
    to clientID: String, _ scopes: [String], by session: BrowserSessions.Session
  ) -> Grant {
    Grant(
      clientID: clientID, subject: session.subject, scopes: scopes,
      authenticatedAt: session.authenticatedAt, acr: session.level.rawValue,
      amr: session.level.amr, sessionID: session.id)
  }
}
