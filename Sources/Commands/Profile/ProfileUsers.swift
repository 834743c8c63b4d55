import Arguments
import JSON
import Primitives
import SDKCore

/// `sdkctl profile users` -- list the users of a profile, or choose the current one.
enum ProfileUsers: Command {
  static let page = CommandInfo(
    name: "users", summary: "List the users of a profile, or choose one",
    description: """
      Prints the users who have logged in to the profile with {login}, and the current one: \
      `sdkctl profile users`. Each line has the ID, `current` or `-`, the name that the provider has \
      for the user, the slots with their expiry, and the slots that are sealed, separated by tabs; \
      on a terminal they are a table. It uses no network.

      `--use` makes a user the current one: commands use the slots of that user unless `--user-id` or \
      SDKCTL_USER_ID names another. A login does so only if nobody is current.
      """,
    examples: [
      ("sdkctl profile users", "List the users"),
      ("sdkctl profile users --use bob", "Use the slots of this user from now on"),
      ("sdkctl login --user-id bob", "Add a user"),
    ], exitCodes: [2, 3, 14], seeAlso: ["login", "logout", "deregister user", "profiles"],
    json: """
      An array of objects with `id`, `name` (or null), `current` (boolean), `slots` (by slot an object \
      with `expires` (or null), `expired` and `refreshable`) and `sealed` (the names of the slots). With \
      `--use` an object with `profile` and `user`.
      """)

  struct Arguments: CommandArguments {
    var use: UserID?
  }

  static let options: [Option<Arguments>] = [
    .value("use", nil, "ID", \.use, "Make this user the current one", parse: Globals.userID)
      .completing(.dynamic("users"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let name = session.profile.name
    if let user = arguments.use {
      try await session.use(user)
      return context.report(
        ["profile": .string(name.description), "user": .string(user.description)],
        "the current user of '\(name)' is '\(user)'")
    }
    let users = try await session.users()
    if context.globals.json {
      return context.print(.array(users.map { $0.json(at: context.now()) }))
    }
    let rows = users.map { $0.fields(at: context.now()) }
    context.print(TextTable("ID", "CURRENT", "NAME", "SLOTS", "SEALED", texts: rows))
  }
}

extension UserProfile {
  fileprivate func fields(at now: Timestamp) -> [String] {
    let sealed = sealedSlots.map(\.rawValue).joined(separator: ", ")
    return [
      id.description, isCurrent ? "current" : "-", login?.userName ?? "-", slots.words(at: now),
      sealed.isEmpty ? "-" : "sealed: \(sealed)",
    ]
  }

  fileprivate func json(at now: Timestamp) -> JSON {
    [
      "id": .string(id.description), "name": JSON(login?.userName), "current": .bool(isCurrent),
      "slots": slots.states(at: now), "sealed": .strings(sealedSlots.map(\.rawValue)),
    ]
  }
}
