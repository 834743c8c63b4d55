/// The pages a person meets, each a function of what it shows.
enum Pages {
  static func signIn(
    _ id: String, _ transaction: Transaction, client: String, typed: String? = nil,
    error: String? = nil, notice: String? = nil
  ) -> Response {
    var hint: String?
    if case .login(let request) = transaction.purpose { hint = request.loginHint }
    let name = typed ?? hint ?? ""
    return Page(
      title: "Sign in",
      content: """
        <p class="lead">to go on to <strong>\(html(client))</strong></p>
        \(Markup.alert(error))\(Markup.notice(notice))
        <form method="post" action="/sign-in">
        \(Markup.hidden("t", id))
        \(Markup.field("username", "User name", value: name, complete: "username", isFirst: name.isEmpty))
        \(Markup.field("password", "Password", type: "password", complete: "current-password", isFirst: !name.isEmpty))
        <button id="sign-in">Sign in</button>
        </form>
        \(Markup.cancel(id))
        <p>People of this sandbox, and their passwords:</p><ul class="scopes">\(people)</ul>
        <p class="links"><a href="/sign-up?t=\(id)">Create an account</a>
        <a href="/forgotten?t=\(id)">Forgotten your password?</a></p>
        """, formTarget: transaction.formTarget
    ).answer
  }

  /// Who can sign in, with the passwords.
  static var people: String {
    Users.first.map { user in
      "<li>\(html(user.fullName))<code>\(user.name) / \(user.password)</code></li>"
    }.joined()
  }

  static func oneTimeCode(
    _ id: String, _ transaction: Transaction, error: String? = nil
  ) -> Response {
    Page(
      title: "One-time code",
      content: """
        <p class="lead">One more proof that it is you.</p>
        \(Markup.alert(error))
        <form method="post" action="/one-time-code">
        \(Markup.hidden("t", id))
        \(Markup.field("code", "One-time code", complete: "one-time-code", isFirst: true, hint: "In the sandbox it is \(Users.oneTimeCode)."))
        <button id="go-on">Go on</button>
        </form>
        \(Markup.cancel(id))
        """, formTarget: transaction.formTarget
    ).answer
  }

  static func consent(
    _ id: String, _ transaction: Transaction, scopes: [String], client: String, user: String
  ) -> Response {
    let wishes = scopes.map { scope in
      "<li>\(html(Scope.meaning(scope)))<code>\(html(scope))</code></li>"
    }
    var device = ""
    if case .device(let code) = transaction.purpose {
      device = """
        <p>Go on only if your device shows this code:</p>
        <p class="code">\(html(code))</p>
        """
    }
    return Page(
      title: "Allow access?",
      content: """
        <p class="lead"><strong>\(html(client))</strong> would like to</p>
        <ul class="scopes">\(wishes.joined(separator: "\n"))</ul>
        \(device)
        <p class="who">You are signed in as <strong>\(html(user))</strong>.</p>
        <form method="post" action="/consent" class="pair">
        \(Markup.hidden("t", id))
        <button name="decision" value="allow" id="allow">Allow</button>
        <button name="decision" value="cancel" id="cancel" class="second">Cancel</button>
        </form>
        """, formTarget: transaction.formTarget
    ).answer
  }

  static func deviceCode(typed: String, error: String? = nil) -> Response {
    Page(
      title: "Connect a device",
      content: """
        <p class="lead">Enter the code that your device shows.</p>
        \(Markup.alert(error))
        <form method="post" action="/device">
        \(Markup.field("user_code", "Code", value: typed, isFirst: true))
        <button id="go-on">Go on</button>
        </form>
        """
    ).answer
  }
}
