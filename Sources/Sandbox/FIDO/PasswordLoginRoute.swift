import HTTP
import JSON

/// The login by password that comes before a registration with FIDO UAF.
extension Routes {
  mutating func addPasswordLogin() {
    addFIDO(
      ["/auth/pwd"], .login,
      [
        .post: { exchange in
          let form = try await exchange.form()
          let user = exchange.sandbox.change { world in
            world.users.signIn(form["isiwebuserid"] ?? "", form["isiwebpasswd"] ?? "")
          }
          guard let user else { return .json(["status": "FAILED"], status: .unauthorized) }
          return Response.json(["status": "OK", "extId": .string(user.subject)])
            .with(.setCookie, sessionCookie(for: user, exchange, path: "/"))
            .with(.setCookie, routeCookie)
        }
      ])
  }
}
