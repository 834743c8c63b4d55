import Arguments
import FIDO
import JSON
import SDKCore

/// `sdkctl dispatch-target delete` -- delete a dispatch target.
enum DispatchTargetDelete: Command {
  static let page = CommandInfo(
    name: "delete", summary: "Delete a dispatch target and its keys",
    description: """
      Deletes a target at the FIDO server, and its keys here: `sdkctl dispatch-target delete ID`. It asks on a \
      terminal; without one it needs `--yes`.

      The server requires a login with a key: run {login fido} before. `--local` deletes the keys \
      here without asking the server.
      """,
    examples: [
      ("sdkctl dispatch-target delete ID", "Delete a target"),
      ("sdkctl dispatch-target delete ID --local --yes", "Delete its keys here only"),
    ],
    seeAlso: ["dispatch-target list"],
    json: "An object with `profile` and `id`.", needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var id = ""
    var local = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("local", \.local, "Delete the keys here; do not ask the server"),
    .flag("yes", short: "y", \.yes, "Delete without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("ID", \.id, "The identifier of the target")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let id = arguments.id
    let session = try context.session()
    try await context.confirm(
      "Delete the dispatch target \(Visible.line(id)) and its keys?", isAgreed: arguments.yes)
    if arguments.local {
      try await session.dispatchTargets.forget(id)
    } else {
      try await session.dispatchTargets.delete(id)
    }
    let name = session.profile.name
    if context.globals.json {
      return context.print(["profile": .string(name.description), "id": .string(id)])
    }
    context.note("deleted the dispatch target \(Visible.line(id)) of '\(name)'")
  }
}
