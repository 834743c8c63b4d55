import Arguments
import SDKCore

/// `sdkctl profile rename` -- rename a profile.
enum ProfileRename: Command {
  static let page = CommandInfo(
    name: "rename", summary: "Rename a profile",
    description: "Renames a profile. Its pins, registration and tokens stay.",
    examples: [("sdkctl profile rename work office", "Rename a profile")], exitCodes: [3])

  struct Arguments: CommandArguments {
    var old = ""
    var new = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("OLD", \.old, "The profile").completing(.dynamic("profiles")),
    .one("NEW", \.new, "Its new name"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    try await store.rename(try ProfileName(arguments.old), to: try ProfileName(arguments.new))
  }
}
