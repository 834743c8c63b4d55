import Arguments
import FIDO
import JSON
import SDKCore

enum FIDOTargetRemove: Command {
  static let page = CommandInfo(
    name: "target remove", summary: "Remove a dispatch target and its keys",
    description: """
      Deletes a target at the FIDO server, and its keys here: `sdkctl fido target remove ID`.

      The server requires a login with a key: run {fido login} before. `--local` deletes the keys \
      here without asking the server.
      """,
    examples: [
      ("sdkctl fido target remove ID", "Remove a target"),
      ("sdkctl fido target remove ID --local --yes", "Remove its keys here only"),
    ],
    seeAlso: ["fido target list"],
    output: rows.document, needs: [.session, .terminal])

  private static let rows = Rows<(profile: ProfileName, id: String)>(
    .member("profile", "the profile") { $0.profile.description },
    .member("id", "the identifier of the target") { $0.id })

  struct Arguments: CommandArguments {
    var id = ""
    var local = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("local", \.local, "Remove the keys here; do not ask the server"),
    .yes(\.yes, "Remove without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("ID", \.id, "The identifier of the target")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let id = arguments.id
    let session = try context.session()
    try await context.confirm(
      "Remove the dispatch target \(Visible.line(id)) and its keys?", isAgreed: arguments.yes)
    if arguments.local {
      try await session.dispatchTargets.forget(id)
    } else {
      try await session.dispatchTargets.remove(id)
    }
    let name = session.profile.name
    context.report(
      (name, id), rows, "removed the dispatch target \(Visible.line(id)) of '\(name)'")
  }
}
