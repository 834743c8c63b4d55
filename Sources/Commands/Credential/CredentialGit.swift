import Arguments
import POSIX
import Primitives
import SDKCore

enum CredentialGit: Command {
  static let page = CommandInfo(
    name: "git", summary: "Act as a credential helper for git",
    description: """
      Implements the protocol of git's credential helpers ({gitcredentials(7)}). \
      `sdkctl credential git install` prints the commands that configure git for each server of the profile, \
      with the authorities that the profile trusts (`caFile`). After them, `git clone`, `fetch` and `push` use tokens of the profile \
      for these servers.

      `get` returns nothing for a server that the profile does not allow, and git asks the next \
      helper. If git and the server can use a bearer token (git 2.46), it is sent as one; otherwise \
      it is the password, with the user name of the URL or of `--username`. GitLab expects \
      `oauth2`, GitHub `x-access-token` and Bitbucket `x-token-auth`. `store` does nothing. `erase` \
      makes the next `get` refresh the token, if it is the one that such a server refused. Unknown \
      actions are ignored.

      With `--interactive`, `get` logs the user in by browser if there is no login; \
      GIT_TERMINAL_PROMPT=0 and SDKCTL_PROMPT=never prevent that.
      """,
    examples: [
      ("sdkctl credential git install", "Print the configuration"),
      ("sdkctl credential git install | sh", "Write it to the configuration of git"),
      (
        "printf 'protocol=https\\nhost=git.example.com\\n\\n' | sdkctl credential git get",
        "See what git gets"
      ),
    ],
    seeAlso: ["credential", "token"],
    needs: .session)

  struct Arguments: CommandArguments {
    var action = ""
    var username = "oauth2"
    var selection = TokenSelection()
  }

  static let options: [Option<Arguments>] =
    [.username(\.username, "The user name for servers with passwords")]
    + TokenSelection.ofUser.of(\.selection)

  static let operands: [Operand<Arguments>] = [
    .one("ACTION", \.action, "get, store, erase, capability or install")
      .completing(.choices(["get", "store", "erase", "capability", "install"]))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    switch arguments.action {
    case "get": try await get(arguments, context)
    case "erase": try await erase(arguments, context)
    case "capability": context.output.write("version 0\ncapability authtype\n")
    case "install": try install(arguments, context)
    // A helper ignores what it does not know (gitcredentials(7)).
    default: _ = try request(context)
    }
  }

  private static func get(_ arguments: Arguments, _ context: Context) async throws {
    let request = try request(context)
    let helper = try CredentialHelper(
      context, mayAsk: context.environment["GIT_TERMINAL_PROMPT"] != "0")
    guard let server = request.server, helper.allows(server) else { return }
    let tokens = try await helper.token(arguments.selection)
    context.output.write(request.response(tokens, username: arguments.username))
  }

  private static func erase(_ arguments: Arguments, _ context: Context) async throws {
    let request = try request(context)
    guard let refused = request.refused, let server = request.server else { return }
    let session = try context.session()
    guard session.profile.allowsCredential(toServerNamed: server) else { return }
    _ = try await session.tokens.markRefused(refused, in: .user)
  }

  private static func request(_ context: Context) throws -> GitCredential {
    // Git limits a line to 65,535 bytes.
    let bytes = try context.read("-", "the request of git")
    return try GitCredential(String(decoding: bytes, as: UTF8.self))
  }

  private static func install(_ arguments: Arguments, _ context: Context) throws {
    let session = try context.session()
    var words = ["credential", "git"] + arguments.selection.words
    if arguments.username != Arguments().username { words += ["--username", arguments.username] }
    let command = try HelperCommandLine(words, of: session.profile.name, in: context)
    let git = ["git", "config", "--global"]
    let commands = session.profile.credentialOrigins.flatMap { origin in
      let key = "credential.\(origin).helper"
      // The empty value keeps helpers of the whole configuration from storing the token.
      let authorities = session.profile.caFile.map {
        [git + ["--replace-all", "http.\(origin).sslCAInfo", $0]]
      }
      return [
        git + ["--replace-all", key, ""], git + ["--add", key, "!\(command.shell)"],
      ] + (authorities ?? [])
    }
    guard !commands.isEmpty else {
      throw CredentialHelper.noServer(for: "git", session.profile.name)
    }
    for command in commands { context.print(ShellWord.line(command)) }
  }
}
