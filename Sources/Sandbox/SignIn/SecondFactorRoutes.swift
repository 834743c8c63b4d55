/// The page that asks a person who is signed in for a second factor.
extension Routes {
  mutating func addSecondFactor() {
    get("/one-time-code", .pages) { exchange in
      try inTransaction(exchange, exchange.query) { id, transaction in
        guard exchange.session != nil else { return .seeOther("/sign-in?t=\(id)") }
        return Pages.oneTimeCode(id, transaction)
      }
    }
    post("/one-time-code", .pages) { exchange in
      let form = try await exchange.form()
      return try inTransaction(exchange, form) { id, transaction in
        guard exchange.session != nil else { return .seeOther("/sign-in?t=\(id)") }
        guard let code = form["code"], Secret.same(code, Users.oneTimeCode) else {
          return Pages.oneTimeCode(id, transaction, error: "That one-time code is not right.")
        }
        exchange.sandbox.change { world in
          world.sessions.raise(exchange.cookie(Cookies.session), now: exchange.now)
        }
        return SignInSteps(exchange: exchange).proceed(id, transaction)
      }
    }
  }
}

extension Exchange {
  /// The session of the browser, if a person is signed in there.
  var session: BrowserSessions.Session? {
    sandbox.change { $0.sessions.session(cookie(Cookies.session), now: now) }
  }
}
