import Arguments
import FIDO
import JSON
import SDKCore

enum FIDOTargetList: Command {
  static let page = CommandInfo(
    name: "target list", summary: "List the dispatch targets of a user",
    description: """
      Asks the FIDO server for the dispatch targets of a user: `sdkctl fido target list`.
      With `--local` it lists those whose keys are here, without asking the server, which may not \
      allow a client to ask.
      """,
    examples: [
      ("sdkctl fido target list", "List the targets of the user"),
      ("sdkctl fido target list --local --json", "List those that were added here"),
    ],
    seeAlso: ["fido target add"],
    output: FIDOTargetReport.rows.list, needs: .session)

  struct Arguments: CommandArguments {
    var account: String?
    var local = false
  }

  static let options: [Option<Arguments>] = [
    .account(\.account).excludes("local"),
    .flag("local", \.local, "List what was added here; do not ask the server"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let targets =
      arguments.local
      ? try session.dispatchTargets.stored()
      : try await session.dispatchTargets.list(of: arguments.account)
    if targets.isEmpty { context.note("there is no target") }
    context.print(
      targets.map { FIDOTargetReport(target: $0, profile: session.profile.name) },
      FIDOTargetReport.rows)
  }
}
