import Arguments
import JSON
import SDKCore

/// `sdkctl profile rename` -- rename a profile.
enum ProfileRename: Command {
  static let page = CommandInfo(
    name: "rename", summary: "Rename a profile",
    description: """
      Renames a profile. Its pins, registration and tokens stay. If the command is killed, the \
      whole profile has the old name or the new one.
      """,
    examples: [("sdkctl profile rename work office", "Rename a profile")], exitCodes: [3, 14],
    seeAlso: ["profile copy"],
    json: "An object with `profile` (the new name) and `from`.")

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
    let (old, new) = (try ProfileName(arguments.old), try ProfileName(arguments.new))
    try await store.rename(old, to: new)
    context.report(
      ["profile": .string(new.description), "from": .string(old.description)],
      "renamed the profile '\(old)' to '\(new)'")
  }
}
