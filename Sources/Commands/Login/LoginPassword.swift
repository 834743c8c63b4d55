import Arguments
import POSIX
import SDKCore

enum LoginPassword: Command {
  static let page = CommandInfo(
    name: "password", summary: "Log in with a user name and a password",
    description: """
      Sends a user name and a password to the server, and stores the tokens (RFC 6749 section \
      4.3). The password is read from the terminal, from standard input or from a file; it is not \
      stored.

      The profile must have `passwordGrant=true`: with a browser the password goes to the server \
      only, here it also passes through this program.
      """,
    examples: [
      ("sdkctl login password alice", "Log in, and type the password"),
      (
        "pass show alice | sdkctl login password alice --password-file -",
        "Take the password from a password manager"
      ),
    ],
    seeAlso: ["login", "security"],
    output: NewLogin.rows.document, needs: [.session, .terminal])

  struct Arguments: GrantArguments {
    var username = ""
    var passwordFile: String?
    var scope: String?
    var resources: [String] = []
    var tokenParameters: [TokenParameter] = []
  }

  static let options: [Option<Arguments>] = [
    .secret("password", \.passwordFile, "the password"), .scope(\.scope),
    .resources(\.resources), .tokenParameters(\.tokenParameters),
  ]

  static let operands: [Operand<Arguments>] = [.one("NAME", \.username, "The user's name")]

  /// The profile is checked first, so that nobody types a password that cannot be used.
  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try arguments.session(context)
    try session.login.requirePasswordGrant()
    let password = try await password(arguments, session, context)
    try await arguments.logIn(
      by: .grant(.password(username: arguments.username, password: password)), session, context)
  }

  private static func password(
    _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws -> String {
    if let password = try context.secret("password", file: arguments.passwordFile) {
      return password
    }
    try await session.login.requirePins(forGrantOf: arguments.options(context))
    return try await context.typedSecret(
      "Password of \(Visible.line(arguments.username)): ", "password")
  }
}
