import Arguments
import SDKCore

/// `sdkctl profile copy` -- copy the settings and the pins of a profile.
enum ProfileCopy: Command {
  static let page = CommandInfo(
    name: "copy", summary: "Copy the settings and pins of a profile",
    description: """
      Makes a profile with the settings and the pins of another one: `sdkctl profile copy work lab`. \
      Registration, tokens, identities and FIDO keys are not copied: run {register} and {login} \
      for the new profile. A profile of the site can be copied in order to change it.

      If the command is killed, there is the whole copy or none.
      """,
    examples: [("sdkctl profile copy work lab", "Copy a profile")], exitCodes: [3, 14],
    seeAlso: ["profile rename"],
    json: ProfileNames.schema)

  static let operands = ProfileNames.operands(new: "The name of the copy")

  static func run(_ arguments: ProfileNames, in context: Context) async throws {
    let note =
      "created the profile '\(arguments.new)' with the settings and pins of '\(arguments.old)'"
    try await arguments.run(in: context, note) { store, old, new in
      try await store.copy(old, to: new)
    }
  }
}
