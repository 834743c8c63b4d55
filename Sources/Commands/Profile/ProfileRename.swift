import Arguments
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
    json: ProfileNames.schema)

  static let operands = ProfileNames.operands(new: "Its new name")

  static func run(_ arguments: ProfileNames, in context: Context) async throws {
    let note =
      "renamed the profile '\(arguments.old)' to '\(arguments.new)'"
    try await arguments.run(in: context, note) { store, old, new in
      try await store.rename(old, to: new)
    }
  }
}
