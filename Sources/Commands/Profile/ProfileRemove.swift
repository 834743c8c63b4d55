import Arguments
import JSON
import SDKCore

/// `sdkctl profile remove` -- remove a profile and everything in it.
enum ProfileRemove: Command {
  static let page = CommandInfo(
    name: "remove", summary: "Remove a profile and everything in it",
    description: """
      Removes a profile, its pins, its registration and its tokens from this machine. A profile \
      that cannot be read is removed too. The server is not informed: what it still accepts \
      afterwards is listed. To end it there, run {deregister} or {logout} first.

      The command asks on a terminal; without one it needs `--yes`.
      """,
    examples: [
      ("sdkctl profile remove lab --yes", "Remove a profile"),
      ("sdkctl -p lab deregister && sdkctl profile remove lab", "Also delete it at the server"),
    ], exitCodes: [14],
    seeAlso: ["logout", "deregister"],
    output: Remains.rows.document, needs: .terminal)

  struct Arguments: CommandArguments {
    var name: String?
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("yes", short: "y", \.yes, "Remove without asking")
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.name, "The profile; or --profile").completing(.dynamic("profiles"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let name = try context.requiredProfile(arguments.name)
    let remains = await Remains(name, context)
    if arguments.yes || context.isInteractive {
      context.show(remains.lines, isAgreed: arguments.yes)
    }
    try await context.confirm(
      "Remove the profile '\(name)' with its registration and tokens?", isAgreed: arguments.yes)
    let damage = try await store.remove(name)
    if let damage {
      context.note("removed '\(name)', whose settings were damaged: \(damage.message)")
    }
    context.report(remains, Remains.rows)
  }
}
