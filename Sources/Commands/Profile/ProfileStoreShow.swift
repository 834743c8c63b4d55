import Arguments
import JSON
import SDKCore

/// `sdkctl profile store show` -- show where a profile keeps its secrets.
enum ProfileStoreShow: Command {
  static let page = CommandInfo(
    name: "store show", summary: "Show where the profile keeps its secrets",
    description: """
      Prints the place of the registration, the tokens and the key that tokens are bound to: `files`, or \
      `helper:NAME`. {profile show} lists each secret. See {profile store move}.
      """,
    examples: [("sdkctl profile store show", "Print the place")],
    exitCodes: [3], seeAlso: ["profile store move", "profile show"],
    json: """
      An object with `profile`, `place` and `unfinished`: null, or another place that may hold some of the \
      secrets too, because a move did not end.
      """)

  typealias Arguments = NoArguments

  static func run(_ arguments: NoArguments, in context: Context) throws {
    let name = try context.profileName()
    let status = try context.store().place(of: name)
    guard !context.globals.json else { return context.print(status.json(of: name)) }
    context.print(status.place.description)
    if let other = status.unfinished {
      context.warning(
        "a move did not end; '\(other)' may hold some of the secrets too",
        hint: "sdkctl -p \(name) profile store move \(status.place)")
    }
  }
}

extension SecretPlaceStatus {
  func json(of name: ProfileName) -> JSON {
    [
      "profile": .string(name.description), "place": .string(place.description),
      "unfinished": JSON(unfinished?.description),
    ]
  }
}
