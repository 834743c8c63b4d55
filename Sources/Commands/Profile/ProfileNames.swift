import Arguments
import JSON
import SDKCore

/// The arguments of a command that gives a profile, or what is copied of it, another name.
struct ProfileNames: CommandArguments {
  var old = ""
  var new = ""

  static let schema = "An object with `profile` (the new name) and `from`."

  static func operands(new summary: String) -> [Operand<Self>] {
    [
      .one("OLD", \.old, "The profile").completing(.dynamic("profiles")),
      .one("NEW", \.new, summary),
    ]
  }

  /// Runs the body with the names, and reports the change.
  func run(
    in context: Context, _ note: String,
    _ body: (ProfileStore, ProfileName, ProfileName) async throws -> Void
  ) async throws {
    let (store, old, new) = (
      try context.store(), try ProfileName(self.old), try ProfileName(self.new)
    )
    try await body(store, old, new)
    context.report(
      ["profile": .string(new.description), "from": .string(old.description)], note)
  }
}
