import Arguments
import JSON
import Primitives
import SDKCore

/// `sdkctl user list` -- list the users of a profile.
enum UserList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the users of a profile",
    description: """
      Prints the users who have logged in to the profile with {login}, and the current one: \
      `sdkctl user list`. Each line has the ID, `current` or `-`, the name that the provider has \
      for the user, the slots with their expiry, and the slots that are sealed, separated by tabs; \
      on a terminal they are a table. It uses no network.
      """,
    examples: [
      ("sdkctl user list", "List the users"), ("sdkctl login --user-id bob", "Add a user"),
    ], exitCodes: [14], seeAlso: ["user use", "user remove", "login", "profiles"],
    json: """
      An array of objects with `id`, `name` (or null), `current` (boolean), `slots` (by slot an object \
      with `expires` (or null), `expired` and `refreshable`) and `sealed` (the names of the slots).
      """)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let users = try await context.session().users()
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
