import Arguments
import JSON
import SDKCore

enum ProfileCopy: Command {
  static let page = CommandInfo(
    name: "copy", summary: "Copy the settings and pins of a profile",
    description: """
      Makes a profile with the settings and the pins of another one: `sdkctl profile copy work lab`. \
      Registration, tokens, identities and FIDO keys are not copied: run {register} and {login} \
      for the new profile. To give a profile another name, copy it, log in, and run {profile remove}. A \
      profile of the site can be copied in order to change it.

      If the command is killed, there is the whole copy or none.
      """,
    examples: [("sdkctl profile copy work lab", "Copy a profile")], exitCodes: [14],
    seeAlso: ["profile add", "profile export"],
    output: rows.document)

  private static let rows = Rows<(new: ProfileName, old: ProfileName)>(
    .member("profile", "the new profile") { $0.new.description },
    .member("from", "the profile that was copied") { $0.old.description })

  struct Arguments: CommandArguments {
    var old = ""
    var new = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("OLD", \.old, "The profile").completing(.dynamic("profiles")),
    .one("NEW", \.new, "The name of the copy"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let (old, new) = (try context.requiredProfile(arguments.old), try ProfileName(arguments.new))
    try await context.store().copy(old, to: new)
    context.report(
      (new, old), rows,
      "created the profile '\(new)' with the settings and pins of '\(old)'")
  }
}
