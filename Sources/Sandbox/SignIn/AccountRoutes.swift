/// Sign-up and the forgotten password.
extension Routes {
  mutating func addAccounts() {
    get("/sign-up", .pages) { exchange in
      try inTransaction(exchange, exchange.query) { id, transaction in
        Pages.signUp(id, transaction)
      }
    }
    post("/sign-up", .pages) { exchange in
      let form = try await exchange.form()
      return try inTransaction(exchange, form) { id, transaction in
        do throws(Users.Refusal) {
          let user = try exchange.sandbox.change { (world) throws(Users.Refusal) in
            try world.users.signUp(
              name: form["username"] ?? "", password: form["password"] ?? "",
              fullName: String((form["name"] ?? "").prefix(80)))
          }
          return enter(exchange, user, id, transaction)
        } catch {
          return Pages.signUp(id, transaction, typed: form, error: error.reason)
        }
      }
    }
    get("/forgotten", .pages) { exchange in
      try inTransaction(exchange, exchange.query) { id, transaction in
        Pages.forgotten(id, transaction)
      }
    }
    post("/forgotten", .pages) { exchange in
      let form = try await exchange.form()
      return try inTransaction(exchange, form) { id, transaction in
        let name = form["username"] ?? ""
        let key = exchange.sandbox.change { $0.users.startReset(of: name) }
        return Pages.resetSent(id, key: key)
      }
    }
    get("/reset-password", .pages) { exchange in
      try inTransaction(exchange, exchange.query) { id, transaction in
        Pages.newPassword(id, transaction, key: exchange.query["k"] ?? "")
      }
    }
    post("/reset-password", .pages) { exchange in
      let form = try await exchange.form()
      return try inTransaction(exchange, form) { id, transaction in
        let key = form["k"] ?? ""
        do throws(Users.Refusal) {
          try exchange.sandbox.change { (world) throws(Users.Refusal) in
            try world.users.finishReset(key: key, password: form["password"] ?? "")
          }
          return Pages.signIn(
            id, transaction, client: clientName(of: transaction, exchange),
            notice: "Your new password is set.")
        } catch {
          return Pages.newPassword(id, transaction, key: key, error: error.reason)
        }
      }
    }
  }
}
