import Arguments
import SDKCore

enum UserRemove: Command {
  static let page = CommandInfo(
    name: "remove", summary: "Revoke the tokens of a user, and remove the user",
    description: """
      Revokes all tokens of one user (RFC 7009), and removes the user with tokens, DPoP key and passcode from \
      the profile: `sdkctl user remove bob`. Without an ID that is the current user; after that \
      `default` is the current one. The registration of this installation stays; {deregister} deletes it.

      The user is removed even if the server cannot be reached; if it may still accept the tokens, the exit \
      status is not 0. `--local` does not ask the server.
      """,
    examples: [
      ("sdkctl user remove bob", "Remove one user"),
      ("sdkctl user remove --all --yes", "Remove all users, and keep the registration"),
    ],
    seeAlso: ["user list", "logout", "deregister"],
    output: StepReport.rows.document,
    needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var local = false
    var all = false
    var yes = false
    var user: UserID?
  }

  static let options: [Option<Arguments>] = [
    .flag("local", \.local, "Remove the user here; do not ask the server"),
    .flag("all", \.all, "Remove all users of the profile").excludes("user-id"),
    .yes(\.yes, "Remove without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("ID", \.user, "The user, in place of the current one")
      .completing(.dynamic("users")).replaced(by: "all")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try context.noteFileChoice()
    let session = try context.session()
    let name = session.profile.name
    let known = try await session.users().map(\.id)
    let user = arguments.user ?? session.userID
    guard arguments.all || known.contains(user) else {
      throw Failure.usage("could not remove the user: '\(name)' has no user '\(user)'")
    }
    let users = arguments.all ? known : [user]
    let list = users.map { "'\($0)'" }.joined(separator: ", ")
    try await context.confirm(
      "Remove \(users.count == 1 ? "the user" : "the users") \(list) of '\(name)' with all tokens?",
      isAgreed: arguments.yes)
    var steps: [LogoutStep] = []
    for user in users {
      steps += try await session.session(of: user).registration.deregisterUser(
        isLocal: arguments.local)
    }
    let report = StepReport(steps: steps, profile: name)
    report.print(context)
    if !context.globals.json { context.note("removed \(list) of '\(name)'") }
    try report.throwFailure(
      "could not finish the deregistration: the server may still hold a grant",
      .localDeregistration)
  }
}
