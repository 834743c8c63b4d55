import Arguments
import JSON
import SDKCore

enum UserUse: Command {
  static let page = CommandInfo(
    name: "use", summary: "Make a user the current one",
    description: """
      Commands use the slots of the current user unless `--user-id` or SDKCTL_USER_ID names another. A \
      login chooses its user only if nobody is current.
      """,
    examples: [("sdkctl user use bob", "Use the slots of this user from now on")],
    exitCodes: [14], seeAlso: ["user list", "login"],
    output: rows.document)

  private static let rows = Rows<(profile: ProfileName, user: UserID)>(
    .member("profile", "the profile") { $0.profile.description },
    .member("user", "the user") { $0.user.description })

  struct Arguments: CommandArguments {
    var user = UserID.standard
  }

  static let operands: [Operand<Arguments>] = [
    .one("ID", \.user, "The user").completing(.dynamic("users"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let (name, user) = (session.profile.name, arguments.user)
    try await session.use(user)
    context.report(
      (name, user), rows, "the current user of '\(name)' is '\(user)'")
  }
}
