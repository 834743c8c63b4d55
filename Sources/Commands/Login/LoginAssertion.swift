import Arguments
import SDKCore

enum LoginAssertion: Command {
  static let page = CommandInfo(
    name: "assertion", summary: "Log in with a signed assertion",
    description: """
      Presents an assertion, a JWT that says who the user is, and stores the tokens (RFC 7523). \
      Somebody whom the server trusts has signed it; it is read from standard input or from a \
      file, printed by a command, or the token of a CI job (see {register}). With `--sub`, this \
      client signs an assertion about the named user with its own key: register it with `sdkctl \
      register --auth-method private_key_jwt`.
      """,
    examples: [
      ("sdkctl login assertion --assertion-file alice.jwt", "Log in with an assertion"),
      ("sdkctl login assertion --sub alice", "Log in with an assertion by this client"),
    ],
    seeAlso: ["login", "register"],
    output: NewLogin.rows.document, needs: .session)

  struct Arguments: GrantArguments {
    var assertionFile: String?
    var assertion = AssertionArguments()
    var subject: String?
    var scope: String?
    var resources: [String] = []
    var tokenParameters: [TokenParameter] = []
  }

  static let options: [Option<Arguments>] =
    [.secret("assertion", \.assertionFile, "the assertion").exclusive("assertion")]
    + AssertionArguments.options(exclusive: "assertion").of(\.assertion) + [
      .value("sub", "NAME", \.subject, "Sign an assertion about this user")
        .exclusive("assertion"),
      .scope(\.scope), .resources(\.resources), .tokenParameters(\.tokenParameters),
    ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let isGiven = arguments.assertionFile != nil
    guard isGiven || arguments.assertion.isGiven || arguments.subject != nil else {
      throw Failure.usage(
        "one of --assertion-file, --assertion-command, --assertion-from and "
          + "--sub is missing")
    }
    let session = try arguments.session(context)
    let assertion =
      if let source = try arguments.assertion.source() {
        try await session.login.assertion(from: source)
      } else {
        try context.secret("assertion", file: arguments.assertionFile)
      }
    let grant: LoginGrant =
      if let assertion { .assertion(assertion) } else {
        .ownAssertion(subject: arguments.subject ?? "")
      }
    try await arguments.logIn(by: .grant(grant), session, context)
  }
}
