extension Pages {
  static func done(_ title: String, _ text: String) -> Response {
    Page(title: title, content: "<p class=\"lead\">\(html(text))</p>").answer
  }

  static func failure(_ title: String, _ text: String, status: HTTPStatus) -> Response {
    Page(title: title, content: Markup.alert(text), status: status).answer
  }

  static func signedOut() -> Response {
    done("You are signed out", "The sandbox has forgotten this browser. Close this window.")
  }

  static func confirmSignOut(_ form: Form) -> Response {
    let kept = form.fields.filter { $0.name != "confirm" }
      .map { Markup.hidden($0.name, $0.value) }
    let target = form["post_logout_redirect_uri"].flatMap(Address.init)?.formTarget
    return Page(
      title: "Sign out?",
      content: """
        <p class="lead">You will be signed out of the sandbox in this browser.</p>
        <form method="post" action="/logout">
        \(kept.joined())\(Markup.hidden("confirm", "yes"))
        <button id="sign-out">Sign out</button>
        </form>
        """, formTarget: target
    ).answer
  }

  /// The answer by form: without scripts the person presses the button.
  static func formPost(_ form: Form, to address: String) -> Response {
    let fields = form.fields.map { Markup.hidden($0.name, $0.value) }
    return Page(
      title: "Almost there",
      content: """
        <p class="lead">Go back to the application.</p>
        <form method="post" action="\(html(address))">
        \(fields.joined())
        <button id="go-on" autofocus>Go on</button>
        </form>
        """, formTarget: Address(address)?.formTarget
    ).answer
  }

  static func home(issuer: String) -> Response {
    Page(
      title: "The sandbox is running",
      content: """
        <p class="lead">A token server and a resource gateway to try things on.</p>
        <p>Issuer</p><p class="code address">\(html(issuer))</p>
        <p>People who can sign in</p><ul class="scopes">\(people)</ul>
        <p class="links"><a href="/.well-known/openid-configuration">Configuration</a>
        <a href="/device">Connect a device</a> <a href="/logout">Sign out</a></p>
        """
    ).answer
  }
}
