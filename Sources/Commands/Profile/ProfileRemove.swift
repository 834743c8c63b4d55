import Arguments
import SDKCore

/// `sdkctl profile remove` -- remove a profile and everything in it.
enum ProfileRemove: Command {
  static let page = CommandInfo(
    name: "remove", summary: "Remove a profile and everything in it",
    description: """
      Removes a profile, its pins, its registration and its tokens from this machine. A profile \
      that cannot be read is removed too. The server is not informed: to end the login there, run \
      {logout} first.

      The command asks on a terminal; without one it needs `--yes`.
      """,
    examples: [("sdkctl profile remove lab --yes", "Remove a profile")], exitCodes: [3, 15],
    seeAlso: ["logout"], needs: .terminal)

  struct Arguments: CommandArguments {
    var name = ""
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("yes", "y", \.yes, "Remove without asking")
  ]

  static let operands: [Operand<Arguments>] = [
    .one("NAME", \.name, "The profile").completing(.dynamic("profiles"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let name = try ProfileName(arguments.name)
    try await context.confirm(
      "Remove the profile '\(name)' with its registration and tokens?", isAgreed: arguments.yes)
    let damage = try await store.remove(name)
    if let damage {
      context.note("removed '\(name)', whose settings were damaged: \(damage.message)")
    }
  }
}
