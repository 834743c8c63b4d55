import Arguments
import JSON
import SDKCore

enum IdentityRemove: Command {
  static let page = CommandInfo(
    name: "remove", summary: "Remove an identity and its key",
    description: """
      Removes an identity with its private key; the key cannot be restored.

      A request that waits for its certificate is removed in the same way. If an identity has the \
      same name as a request, `--requested` removes the request.
      """,
    examples: [("sdkctl identity remove api.example.com", "Remove an identity")],
    exitCodes: [9, 14], seeAlso: ["identity list"],
    output: rows.document, needs: .terminal)

  private static let rows = Rows<(name: IdentityName, what: String)>(
    .member("name", "the name") { $0.name.description },
    .member("removed", "`identity` or `request`") { $0.what })

  struct Arguments: CommandArguments {
    var name: IdentityName?
    var requested = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("requested", \.requested, "Remove the request, not the identity of that name"),
    .yes(\.yes, "Remove without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("NAME", \.name, "The identity")
      .completing(.dynamic("all-identities"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard let name = arguments.name else { return }
    let session = try context.session()
    let store = session.identities.store()
    let (names, requested) = (try store.names(), try store.requestedNames())
    // What is damaged can be removed too.
    guard !arguments.requested, names.contains(name) || !requested.contains(name) else {
      return try await removeRequest(
        name, isAgreed: arguments.yes || !requested.contains(name), session, context)
    }
    let identity = try? store.identity(named: name)
    if names.contains(name) {
      let subject = identity.map { " (\($0.chain.subject))" } ?? ""
      try await context.confirm(
        "Remove the identity \(name)\(subject) and its key?", isAgreed: arguments.yes)
    }
    try await store.remove(name)
    context.report((name, "identity"), rows, "removed the identity '\(name)'")
    await context.warnOfBoundTokens(identity?.chain, replacedBy: nil, in: session)
  }

  private static func removeRequest(
    _ name: IdentityName, isAgreed: Bool, _ session: ProfileSession, _ context: Context
  ) async throws {
    try await context.confirm(
      "Remove the request of \(name) and its key? Its certificate cannot be used then.",
      isAgreed: isAgreed)
    try await session.identities.store().removeRequested(name)
    context.report((name, "request"), rows, "removed the request of '\(name)'")
  }
}
