import Arguments
import PageLogin
import SDKCore

enum LoginForm: Command {
  static let page = CommandInfo(
    name: "form", summary: "Log in on the provider's pages, without OAuth",
    description: """
      Gets the page of `form.url`, fills in its form, sends it, and stores the cookies or the JWT \
      of the login as the user's credential: `sdkctl login form alice`. {fetch} then sends them \
      with each request. See {form} for the settings, for how the form is recognised and for what \
      counts as a success.

      The password is read from the terminal, from standard input, or from a file \
      (`--password-file`, else `form.passwordFile`); it is not stored. Other fields that the pages \
      ask for, such as a one-time code, are asked on the terminal.

      The cookies replace all that the user's slot held. Nothing changes them but the next login \
      and {logout}.
      """,
    examples: [
      ("sdkctl login form alice", "Log in, and type the password"),
      (
        "pass show alice | sdkctl login form alice --password-file -",
        "Take the password from a password manager"
      ),
      ("sdkctl profile set form.url=https://portal.test/login", "Set the page first"),
    ],
    seeAlso: ["form", "login", "token", "fetch"],
    output: NewLogin.rows.document, needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var username: String?
    var passwordFile: String?
  }

  static let options: [Option<Arguments>] = [
    .secret("password", \.passwordFile, "the password")
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.username, "The user's name; form.user without it")
  ]

  /// The profile is checked first, so that nobody types a password that cannot be used.
  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    try session.login.requireFormLogin()
    let password = try context.secret("password", file: arguments.passwordFile)
    let credentials = FormCredentials(
      user: arguments.username, password: password, ask: context.formQuestions)
    let provider = try await session.login.byForm(credentials)
    await SessionReport(provider: provider, session: session).print(context)
    session.noteCurrentUser(context)
  }
}

extension Context {
  /// Asks the user on the terminal for the fields of a login page.
  var formQuestions: @Sendable (FormCredentials.Question) async throws(SDKError) -> String {
    { [self] (question) async throws(SDKError) in
      try await typed(
        "\(Visible.line(question.prompt)): ", isSecret: question.isSecret,
        "'\(question.prompt)'", withoutTerminal: .invalidRequest)
    }
  }
}
