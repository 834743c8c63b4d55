extension Pages {
  static func signUp(
    _ id: String, _ transaction: Transaction, typed: Form = Form(), error: String? = nil
  ) -> Response {
    Page(
      title: "Create an account",
      content: """
        <p class="lead">It lives in this sandbox until the next reset.</p>
        \(Markup.alert(error))
        <form method="post" action="/sign-up">
        \(Markup.hidden("t", id))
        \(Markup.field("name", "Your name", value: typed["name"] ?? "", complete: "name", isFirst: true))
        \(Markup.field("username", "User name", value: typed["username"] ?? "", complete: "username"))
        \(Markup.field("password", "Password", type: "password", complete: "new-password", hint: "At least 4 characters. Do not use a real one."))
        <button id="sign-up">Create account</button>
        </form>
        \(Markup.cancel(id))
        <p class="links"><a href="/sign-in?t=\(id)">I have an account</a></p>
        """, formTarget: transaction.formTarget
    ).answer
  }

  static func forgotten(_ id: String, _ transaction: Transaction) -> Response {
    Page(
      title: "Forgotten password",
      content: """
        <p class="lead">Tell us your user name, and you can choose a new password.</p>
        <form method="post" action="/forgotten">
        \(Markup.hidden("t", id))
        \(Markup.field("username", "User name", complete: "username", isFirst: true))
        <button id="send">Send the link</button>
        </form>
        <p class="links"><a href="/sign-in?t=\(id)">Back to sign-in</a></p>
        """, formTarget: transaction.formTarget
    ).answer
  }

  /// Elsewhere a mail would go out; here the page shows what it would have said.
  static func resetSent(_ id: String, key: String?) -> Response {
    let mail = key.map { key in
      """
      <p>The sandbox sends no mail. This is the link it would have sent:</p>
      <p><a class="button" id="reset" href="/reset-password?t=\(id)&amp;k=\(key)">Choose a new \
      password</a></p>
      """
    }
    return Page(
      title: "Look at your mail",
      content: """
        <p class="lead">If there is such a user, a link is on its way.</p>
        \(mail ?? "<p>There is no such user in this sandbox.</p>")
        <p class="links"><a href="/sign-in?t=\(id)">Back to sign-in</a></p>
        """
    ).answer
  }

  static func newPassword(
    _ id: String, _ transaction: Transaction, key: String, error: String? = nil
  ) -> Response {
    Page(
      title: "Choose a new password",
      content: """
        \(Markup.alert(error))
        <form method="post" action="/reset-password">
        \(Markup.hidden("t", id))\(Markup.hidden("k", key))
        \(Markup.field("password", "New password", type: "password", complete: "new-password", isFirst: true, hint: "At least 4 characters. Do not use a real one."))
        <button id="set">Set the password</button>
        </form>
        """, formTarget: transaction.formTarget
    ).answer
  }
}
