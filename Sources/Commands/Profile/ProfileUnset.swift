import Arguments
import JSON
import SDKCore

enum ProfileUnset: Command {
  static let page = CommandInfo(
    name: "unset", summary: "Remove settings from a profile",
    description: "Removes values from the profile, so that the defaults apply again.",
    examples: [("sdkctl profile unset caFile", "Trust the system's authorities again")],
    seeAlso: ["profiles"],
    output: Profile.changes.document)

  struct Arguments: CommandArguments {
    var keys: [String] = []
  }

  static let operands: [Operand<Arguments>] = [
    .some("KEY", \.keys, "A key").completing(.dynamic("profile-keys"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let profile = try await context.changeProfile { (profile) throws(SDKError) in
      for key in arguments.keys { try profile.set(key, to: nil) }
    }
    context.report((profile, arguments.keys), Profile.changes)
  }
}
