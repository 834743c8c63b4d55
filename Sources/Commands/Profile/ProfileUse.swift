import Arguments
import JSON
import SDKCore

/// `sdkctl profile use` -- choose the current profile.
enum ProfileUse: Command {
  static let page = CommandInfo(
    name: "use", summary: "Choose the current profile",
    description: """
      Makes a profile the current one: commands use it unless `--profile`, SDKCTL_PROFILE or the \
      file `.sdkctl-profile` of the directory names another.
      """,
    examples: [("sdkctl profile use work", "Use this profile from now on")],
    json: "An object with `profile`.")

  struct Arguments: CommandArguments {
    var name = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("NAME", \.name, "The profile").completing(.dynamic("profiles"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let profile = try store.profile(try ProfileName(arguments.name))
    try await store.setCurrent(profile.name)
    context.report(
      ["profile": .string(arguments.name)], "the current profile is '\(arguments.name)'")
  }
}
