import Arguments
import POSIX
import Primitives
import SDKCore

enum Exec: Command {
  static let page = CommandInfo(
    name: "exec", group: .access, summary: "Run a command with an access token",
    description: """
      Runs a command with a valid access token in its environment: `sdkctl exec -- ./deploy`. The \
      command takes the place of this process: it gets the signals, and its exit status is that of \
      `exec`; it is 127 if the command does not exist, and 126 if it cannot be run, as with `env` \
      and shells. A token that expires within 30 seconds (`--min-ttl`) is refreshed before the command \
      starts; the variables are not changed while the command runs.

      The variables are SDKCTL_ACCESS_TOKEN, SDKCTL_AUTHORIZATION (a header line, \
      `Authorization: Bearer ...`), SDKCTL_TOKEN_TYPE, SDKCTL_TOKEN_EXPIRES (ISO 8601), \
      SDKCTL_ISSUER, SDKCTL_RESOURCE_URL, SDKCTL_CA_FILE (the profile's authorities), \
      SDKCTL_PROFILE and SDKCTL_USER_ID, as far as they are known; those that are not known are removed. \
      SDKCTL_EXECUTABLE is this program: with it and SDKCTL_PROFILE a command that runs for long \
      gets a new token. `--token-as` and `--ca-as` set further variables, for programs that read \
      others.

      With `--token-file-as` a file has a valid token for as long as the command runs, as \
      `sdkctl token --watch` keeps one. Then `exec` stays, passes on SIGTERM, SIGINT and SIGHUP, and removes the file when the \
      command has ended.

      Everything that runs as the same user can read the environment of a process. Its arguments \
      can be read by everybody: pass SDKCTL_AUTHORIZATION to curl with `-H @-`. For a single \
      request, prefer what {token} prints for curl.
      """,
    examples: [
      (
        "sdkctl exec -- ./deploy",
        "Run a program with SDKCTL_ACCESS_TOKEN and others ('help exec' lists them)"
      ),
      (
        "sdkctl exec --min-ttl 600 -- sh -c 'printenv SDKCTL_AUTHORIZATION | curl -H @- \"$SDKCTL_RESOURCE_URL/me\"'",
        "Call curl without the token in its arguments"
      ),
      (
        "sdkctl exec --token-as GITLAB_TOKEN -- glab repo list",
        "Set the variable that the program reads"
      ),
      (
        "sdkctl exec --token-file-as BEARER_TOKEN_FILE -- ./server",
        "Run a program that reads the token from a file"
      ),
    ],
    exitCodes: [126, 127],
    seeAlso: ["token", "credential", "environment"],
    needs: .session)

  struct Arguments: CommandArguments {
    var command: [String] = []
    var selection = TokenSelection()
    var tokenVariables: [String] = []
    var fileVariables: [String] = []
    var caVariables: [String] = []
  }

  static let options: [Option<Arguments>] =
    TokenSelection.whichToken("Use").of(\.selection) + [
      .list(
        "token-as", "VARIABLE", \.tokenVariables, "Set this variable to the token too",
        parse: variableName),
      .list(
        "token-file-as", "VARIABLE", \.fileVariables,
        "Set this variable to a file that has a token",
        parse: variableName
      ).more(
        """
        The file is in a directory of its own, for this user only, and has the token alone, without a line break. \
        If the token cannot be renewed any more, a warning says so, and the command goes on.
        """),
      .list(
        "ca-as", "VARIABLE", \.caVariables, "Set this variable to the profile's CA file",
        parse: variableName),
    ] + TokenSelection.otherTokens("Use").of(\.selection)

  static let operands: [Operand<Arguments>] = [
    .verbatim("COMMAND", \.command, "The command with its arguments")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let program = try program(of: arguments.command, context)
    let tokens = try await arguments.selection.token(in: session, context)
    if tokens.isBound {
      context.note(
        "the token is bound to a key: a request needs a proof too, see `token --proof-for`")
    }
    let environment = environment(for: tokens, arguments, session, context)
    guard arguments.fileVariables.isEmpty else {
      return try await run(program, arguments, environment, in: context)
    }
    let error = context.ports.replace(
      program, Array(arguments.command.dropFirst()), environment)
    if let error { throw notRun(program, error) }
  }

  /// The file of the program that a command line names.
  static func program(of command: [String], _ context: Context) throws(Failure) -> String {
    let name = command.first ?? ""
    if let program = Spawn.find(name, in: context.environment) { return program }
    let exists = Spawn.fileExists(name, in: context.environment)
    throw Failure(
      .commandMissing, exit: exists ? .notExecutable : .notFound,
      "could not run '\(name)': it \(exists ? "is not an executable file" : "does not exist")")
  }

  static func notRun(_ program: String, _ error: SystemError) -> Failure {
    Failure(
      .commandFailed, exit: error.isNotFound ? .notFound : .notExecutable,
      "could not run '\(program)': \(error.message)")
  }

  private static func environment(
    for tokens: TokenSet, _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) -> Environment {
    var environment = context.environment.removing(TokenForm.variableNames)
    for (name, value) in TokenForm.variables(tokens, of: session.profile) {
      environment[name] = value
    }
    environment["SDKCTL_AUTHORIZATION"] = TokenForm.header(of: tokens)
    environment["SDKCTL_CA_FILE"] = session.profile.caFile
    environment["SDKCTL_PROFILE"] = session.profile.name.description
    environment["SDKCTL_USER_ID"] = session.userID.description
    environment["SDKCTL_EXECUTABLE"] = Paths.executable
    for name in arguments.tokenVariables { environment[name] = tokens.accessToken }
    if let file = session.profile.caFile {
      for name in arguments.caVariables { environment[name] = file }
    }
    return environment
  }
}

/// The name of a variable that a shell can read.
private func variableName(_ text: String) throws(ValueError) -> String {
  let isName = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
  guard isName, let first = text.utf8.first, !first.isDigit else {
    throw ValueError("expected the name of a variable")
  }
  let decidesWhatRuns =
    text.hasPrefix("LD_") || text.hasPrefix("DYLD_")
    || ["BASH_ENV", "ENV", "HOME", "IFS", "PATH", "SDKCTL_HOME", "SHELL"].contains(text)
  guard !decidesWhatRuns else {
    throw ValueError(
      "this variable decides what runs; choose one that the program reads a token from")
  }
  return text
}
