/// A login that is not OAuth: two pages with forms, and a session at the end of them.
///
/// Each page has a hidden value that counts once and only in the browser that got the page. The
/// session is a cookie, or with `want=jwt` a JWT in a header field of the last response.
extension Routes {
  mutating func addFormLogin() {
    get("/form-login", .pages) { exchange in
      let browser = Secret.make()
      return namePage(exchange, browser: browser, want: exchange.query["want"] ?? "cookie")
        .with(.setCookie, "\(browserCookie)=\(browser); Path=/form-login; Secure; HttpOnly")
    }
    post("/form-login", .pages) { exchange in
      let form = try await exchange.form()
      guard let step = step(exchange, form) else { return expiredPage }
      return passwordPage(exchange, browser: step.browser, name: form["login"] ?? "", step.want)
    }
    post("/form-login/password", .pages) { exchange in
      let form = try await exchange.form()
      guard let step = step(exchange, form) else { return expiredPage }
      let user = exchange.sandbox.change { world in
        world.users.signIn(step.name, form["secret_word"] ?? "")
      }
      guard let user else {
        return passwordPage(
          exchange, browser: step.browser, name: step.name, step.want,
          error: "That password is not right.")
      }
      let home = Response.seeOther("/form-login/welcome")
      if step.want == "jwt" {
        return Response.text("welcome").with(
          .authorization, "Bearer \(try gatewayJWT(for: user, exchange))")
      }
      return home.with(.setCookie, sessionCookie(for: user, exchange, path: "/"))
    }
    get("/form-login/welcome", .pages) { _ in
      Page(
        title: "Welcome",
        content: """
          <form method="post" action="/form-login/out">\(Markup.hidden("csrf", "x"))
          <button>Sign out</button></form>
          """
      ).answer
    }
  }
}

/// A form that was sent: which login it belongs to.
struct FormLoginStep: Sendable {
  let browser: String
  let want: String
  let name: String
}

private let browserCookie = "form-login-browser"

private func step(_ exchange: Exchange, _ form: Form) -> FormLoginStep? {
  exchange.sandbox.change { world in
    guard let step = world.formLogins.removeValue(forKey: form["csrf"] ?? ""),
      step.browser == exchange.cookie(browserCookie)
    else { return nil }
    return step
  }
}

/// Makes the hidden value of the next form.
private func csrf(_ exchange: Exchange, _ step: FormLoginStep) -> String {
  let value = Secret.make()
  exchange.sandbox.change { world in
    if world.formLogins.count > 1000 { world.formLogins = [:] }
    world.formLogins[value] = step
  }
  return value
}

private func namePage(_ exchange: Exchange, browser: String, want: String) -> Response {
  let value = csrf(exchange, FormLoginStep(browser: browser, want: want, name: ""))
  return Page(
    title: "Who are you?",
    content: """
      <form method="post" action="/form-login">\(Markup.hidden("csrf", value))
      \(Markup.field("login", "User name", complete: "username", isFirst: true))
      <button name="go" value="next">Next</button></form>
      """
  ).answer
}

private func passwordPage(
  _ exchange: Exchange, browser: String, name: String, _ want: String, error: String? = nil
) -> Response {
  let value = csrf(exchange, FormLoginStep(browser: browser, want: want, name: name))
  return Page(
    title: "Password",
    content: """
      \(Markup.alert(error))
      <form method="post" action="/form-login/password">\(Markup.hidden("csrf", value))
      \(Markup.field("secret_word", "Password", type: "password", complete: "current-password"))
      <button>Sign in</button></form>
      """
  ).answer
}

private var expiredPage: Response {
  Pages.failure("This page has expired", "Begin again.", status: .forbidden)
}
