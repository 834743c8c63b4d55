import Arguments
import SDKCore

/// `sdkctl identity delete` -- delete an identity.
enum IdentityDelete: Command {
  static let page = CommandInfo(
    name: "delete", summary: "Delete an identity and its key",
    description: """
      Deletes an identity with its private key; the key cannot be restored. The command asks; \
      without a terminal it needs `--yes`.
      """,
    examples: [("sdkctl identity delete api.example.com", "Delete an identity")],
    exitCodes: [3, 9, 14, 15], seeAlso: ["identity list"], needs: .terminal)

  struct Arguments: CommandArguments {
    var name: IdentityName?
    var yes = false
  }

  static let options: [Option<Arguments>] = [.flag("yes", "y", \.yes, "Delete without asking")]

  static let operands: [Operand<Arguments>] = [
    .one("NAME", \.name, "The identity")
      .completing(.dynamic("identities"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard let name = arguments.name else { return }
    let session = try context.session()
    let store = session.identities.store()
    // One that is damaged can be deleted too.
    let identity = try? store.identity(named: name)
    let names = try store.names()
    if names.contains(name) {
      let subject = identity.map { " (\($0.chain.subject))" } ?? ""
      try await context.confirm(
        "Delete the identity \(name)\(subject) and its key?", isAgreed: arguments.yes)
    }
    try await store.remove(name)
    context.note("deleted the identity '\(name)'")
    context.warnOfBoundTokens(identity?.chain, replacedBy: nil, in: session)
  }
}
