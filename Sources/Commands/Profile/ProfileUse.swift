import Arguments
import SDKCore

/// `sdkctl profile use` -- choose the current profile.
enum ProfileUse: Command {
  static let page = CommandInfo(
    name: "use", summary: "Choose the current profile",
    description: """
      Makes a profile the current one: commands use it unless `--profile` or SDKCTL_PROFILE names \
      another.
      """,
    examples: [("sdkctl profile use work", "Use this profile from now on")], exitCodes: [3])

  struct Arguments: CommandArguments {
    var name = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("NAME", \.name, "The profile").completing(.dynamic("profiles"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let profile = try store.profile(try ProfileName(arguments.name))
    try store.setCurrent(profile.name)
    context.note("the current profile is '\(arguments.name)'")
  }
}
