import Arguments
import OAuth
import SDKCore

enum LoginExchange: Command {
  static let page = CommandInfo(
    name: "exchange", summary: "Log in with a token of another server",
    description: """
      Exchanges a token of another server for tokens of this one, and stores them (RFC 8693). The \
      token is read from standard input or from a file; it is not stored. `--audience` names the \
      service that the new tokens are for. The token can also be printed by a command, or be that of a CI \
      job (see {register}).
      """,
    examples: [
      ("sdkctl login exchange --token-file token", "Exchange an access token"),
      (
        "sdkctl login exchange --token-file ci.jwt --token-type id_token",
        "Exchange the ID token of a CI job"
      ),
      (
        "sdkctl login exchange --assertion-from gitlab",
        "Exchange the ID token of the job that runs this"
      ),
    ],
    seeAlso: ["login", "token"],
    output: NewLogin.rows.document, needs: .session)

  struct Arguments: GrantArguments {
    var tokenFile: String?
    var assertion = AssertionArguments()
    var tokenType: SubjectToken.Kind?
    var audiences: [String] = []
    var scope: String?
    var resources: [String] = []
    var tokenParameters: [TokenParameter] = []
  }

  static let options: [Option<Arguments>] =
    [.secret("token", \.tokenFile, "the token").exclusive("token")]
    + AssertionArguments.options(exclusive: "token").of(\.assertion) + [
      .choice(
        "token-type", "TYPE", \.tokenType, "What the token is (access_token by default)"
      ).more("With `--assertion-command` and `--assertion-from` it is `id_token` by default.")
    ]
    + .group(
      "Token request",
      [
        .list("audience", "NAME", \.audiences, "Request tokens for this service"),
        .scope(\.scope), .resources(\.resources),
        .tokenParameters(\.tokenParameters),
      ])

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard arguments.tokenFile != nil || arguments.assertion.isGiven else {
      throw Failure.usage(
        "one of --token-file, --assertion-command and --assertion-from is missing")
    }
    let session = try arguments.session(context)
    let source = try arguments.assertion.source()
    let token =
      if let source {
        try await session.login.assertion(from: source)
      } else {
        try context.secret(
          "token to exchange", option: "token", file: arguments.tokenFile)
      }
    let type = arguments.tokenType ?? (source == nil ? .accessToken : .idToken)
    let grant = LoginGrant.exchange(
      SubjectToken(token ?? "", type: type), audiences: arguments.audiences)
    try await arguments.logIn(by: .grant(grant), session, context)
  }
}
