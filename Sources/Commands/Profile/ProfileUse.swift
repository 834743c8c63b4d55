import Arguments
import JSON
import SDKCore

enum ProfileUse: Command {
  static let page = CommandInfo(
    name: "use", summary: "Choose the current profile",
    description: """
      Makes a profile the current one: commands use it unless `--profile`, SDKCTL_PROFILE or the \
      file `.sdkctl-profile` of the directory names another.
      """,
    examples: [("sdkctl profile use work", "Use this profile from now on")],
    output: ProfileName.rows.document)

  struct Arguments: CommandArguments {
    var name: String?
  }

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.name, "The profile; or --profile").completing(.dynamic("profiles"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let name = try store.profile(try context.requiredProfile(arguments.name)).name
    try await store.setCurrent(name)
    context.report(name, ProfileName.rows, "the current profile is '\(name)'")
  }
}

extension ProfileName {
  static let rows = Rows<ProfileName>(.member("profile", "the profile") { $0.description })
}
