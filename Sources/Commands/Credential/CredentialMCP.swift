import Arguments
import HTTP
import JSON
import POSIX
import SDKCore

enum CredentialMCP: Command {
  static let page = CommandInfo(
    name: "mcp", summary: "Act as a header helper for MCP clients",
    description: """
      Prints the header field with the access token as JSON, `{"Authorization": "Bearer ..."}`: \
      what clients of the Model Context Protocol expect of a header helper, such as the member `headersHelper` \
      of a server's configuration in Claude Code. The client runs the command when it connects, so that the \
      token is always valid.

      If the client names the server (CLAUDE_CODE_MCP_SERVER_URL), the profile must allow it. The helper \
      asks no questions without `--interactive`: log in before.

      `sdkctl credential mcp install` prints the configuration of a server at `resourceURL`.
      """,
    examples: [
      ("sdkctl credential mcp", "Print the header field"),
      ("sdkctl credential mcp install > .mcp.json", "Write the configuration of a project"),
    ],
    seeAlso: ["credential", "token"],
    output: rows.document.or("With `install`", installRows.document),
    needs: .session)

  private static let rows = Rows<String>(
    .member("Authorization", "`Bearer` and the token, with `--json` or without") { "Bearer \($0)" })

  private static let installRows = Rows<JSON>(
    .member(
      "mcpServers", "by the name of the profile, an object with `type`, `url` and `headersHelper`"
    ) { $0 })

  struct Arguments: CommandArguments {
    var action: String?
    var selection = TokenSelection()
  }

  static let options: [Option<Arguments>] =
    TokenSelection.ofHelpers(idToken: "Use the user's ID token").of(\.selection)

  static let operands: [Operand<Arguments>] = [.installation(\.action)]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if arguments.action != nil { return try install(arguments, context) }
    let helper = try CredentialHelper(context, mayAsk: arguments.selection.interactive)
    if let name = context.environment["CLAUDE_CODE_MCP_SERVER_URL"], !name.isEmpty {
      guard let server = HTTPURL(serverNamed: name) else {
        throw Failure(
          .policy, "could not return the token: '\(Visible.line(name))' is not the URL of a server")
      }
      guard helper.allows(server.origin) else { throw helper.notAllowed(server) }
    }
    context.print(rows.json(try await helper.bearer(arguments.selection).text))
  }

  private static func install(_ arguments: Arguments, _ context: Context) throws {
    let profile = try context.session().profile
    guard let url = profile.resourceURL else {
      throw Failure(
        .invalidConfiguration,
        "could not configure the client: '\(profile.name)' has no resourceURL")
    }
    let words = ["credential", "mcp"] + arguments.selection.words
    let command = try HelperCommandLine(words, of: profile.name, in: context)
    let server: JSON = [
      "type": "http", "url": .string(url.description), "headersHelper": .string(command.shell),
    ]
    context.print(installRows.json(.object([profile.name.description: server])), .pretty)
  }
}
