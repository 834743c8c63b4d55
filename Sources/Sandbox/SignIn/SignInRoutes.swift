/// The pages on which a person signs in, agrees or turns back.
extension Routes {
  mutating func addSignIn() {
    get("/sign-in", .pages) { exchange in
      try inTransaction(exchange, exchange.query) { id, transaction in
        Pages.signIn(id, transaction, client: clientName(of: transaction, exchange))
      }
    }
    post("/sign-in", .pages) { exchange in
      let form = try await exchange.form()
      return try inTransaction(exchange, form) { id, transaction in
        signIn(exchange, form, id, transaction)
      }
    }
    get("/consent", .pages) { exchange in
      try inTransaction(exchange, exchange.query) { id, transaction in
        let user = exchange.sandbox.change { world in
          world.sessions.session(exchange.cookie(Cookies.session), now: exchange.now)
            .flatMap { world.users.subject($0.subject) }
        }
        guard let user else { return .seeOther("/sign-in?t=\(id)") }
        return Pages.consent(
          id, transaction, scopes: scopes(of: transaction, exchange),
          client: clientName(of: transaction, exchange), user: user.fullName)
      }
    }
    post("/consent", .pages) { exchange in
      let form = try await exchange.form()
      return try inTransaction(exchange, form) { id, transaction in
        let steps = SignInSteps(exchange: exchange)
        guard form["decision"] == "allow" else { return steps.cancel(id, transaction) }
        return steps.allow(id, transaction)
      }
    }
    post("/cancel", .pages) { exchange in
      try inTransaction(exchange, try await exchange.form()) { id, transaction in
        SignInSteps(exchange: exchange).cancel(id, transaction)
      }
    }
  }
}

/// Runs a step of the transaction that a page names, if this browser began it.
func inTransaction(
  _ exchange: Exchange, _ form: Form, _ step: (String, Transaction) throws -> Response
) throws -> Response {
  let id = form["t"] ?? ""
  let transaction = exchange.sandbox.change { world in
    world.transactions.find(id, browser: exchange.cookie(Cookies.browser), now: exchange.now)
  }
  guard let transaction else {
    return Pages.failure(
      "This page has expired", "Go back to the application and sign in again.",
      status: .badRequest)
  }
  return try step(id, transaction)
}

/// Signs a person in for a transaction and leads on.
func enter(
  _ exchange: Exchange, _ user: Users.User, _ id: String, _ transaction: Transaction
) -> Response {
  let old = exchange.cookie(Cookies.session)
  let cookie = exchange.sandbox.change { world in
    let cookie = world.sessions.open(subject: user.subject, now: exchange.now)
    world.sessions.carryConsents(from: old, to: cookie)
    world.transactions.markSignedIn(id)
    return cookie
  }
  var signedIn = transaction
  signedIn.signedIn = true
  return SignInSteps(exchange: exchange, newSession: cookie).proceed(id, signedIn)
    .with(.setCookie, Cookies.kept(Cookies.session, cookie))
}

private func signIn(
  _ exchange: Exchange, _ form: Form, _ id: String, _ transaction: Transaction
) -> Response {
  let name = form["username"] ?? ""
  func again(_ reason: String) -> Response {
    Pages.signIn(
      id, transaction, client: clientName(of: transaction, exchange), typed: name, error: reason)
  }
  let user = exchange.sandbox.change { $0.users.signIn(name, form["password"] ?? "") }
  guard let user else { return again("That user name and password do not fit together.") }
  return enter(exchange, user, id, transaction)
}

func clientName(of transaction: Transaction, _ exchange: Exchange) -> String {
  exchange.sandbox.change { world in
    let id = clientID(of: transaction, in: world, now: exchange.now)
    return id.flatMap { world.clients[$0]?.name } ?? "An application"
  }
}

private func clientID(of transaction: Transaction, in world: World, now: Int) -> String? {
  switch transaction.purpose {
  case .login(let request): request.clientID
  case .device(let code): world.devices.pending(userCode: code, now: now)?.clientID
  }
}

private func scopes(of transaction: Transaction, _ exchange: Exchange) -> [String] {
  switch transaction.purpose {
  case .login(let request): request.scopes
  case .device(let code):
    exchange.sandbox.change { $0.devices.pending(userCode: code, now: exchange.now)?.scopes } ?? []
  }
}

extension Transaction {
  /// Where the forms of this transaction may lead, beside the sandbox itself.
  var formTarget: String? {
    guard case .login(let request) = purpose else { return nil }
    return Address(request.redirectURI)?.formTarget
  }
}
