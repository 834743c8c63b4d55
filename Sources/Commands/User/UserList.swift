import Arguments
import SDKCore

enum UserList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the users of a profile",
    description: """
      Prints the users who have logged in to the profile with {login}, the current one, and until when their \
      tokens can be used: `sdkctl user list`. It uses no network.
      """,
    examples: [
      ("sdkctl user list", "List the users"), ("sdkctl login --user-id bob", "Add a user"),
    ], exitCodes: [14], seeAlso: ["status", "user use", "user remove", "login", "profiles"],
    output: LoginState.rows.list)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let session = try context.session()
    // A registration that cannot be read hides no user.
    let isRegistered = (try? await session.registration.usable()) != nil
    let users = try await session.users().map { user in
      LoginState(
        session.profile.name, user.id, isCurrent: user.isCurrent, isRegistered: isRegistered,
        user.slots, at: context.now())
    }
    context.print(users, LoginState.rows)
  }
}

/// The group of the users of a profile.
let userPage = CommandInfo(
  name: "user", group: .setup, summary: "Manage the users of a profile",
  description: """
    A profile can have several users, each with tokens, cookies, DPoP key and passcode of their own. \
    `login --user-id ID` adds one; `--user-id` or SDKCTL_USER_ID names the user of one command.
    """,
  examples: [("sdkctl user list", "List the users")],
  seeAlso: ["login", "logout", "profiles"])
