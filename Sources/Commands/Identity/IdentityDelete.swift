import Arguments
import JSON
import SDKCore

/// `sdkctl identity delete` -- delete an identity.
enum IdentityDelete: Command {
  static let page = CommandInfo(
    name: "delete", summary: "Delete an identity and its key",
    description: """
      Deletes an identity with its private key; the key cannot be restored. The command asks; \
      without a terminal it needs `--yes`.

      A request that waits for its certificate is deleted in the same way. If an identity has the \
      same name as a request, `--requested` deletes the request.
      """,
    examples: [("sdkctl identity delete api.example.com", "Delete an identity")],
    exitCodes: [9, 14], seeAlso: ["identity list"],
    json: "An object with `name` and `deleted` (`identity` or `request`).", needs: .terminal)

  struct Arguments: CommandArguments {
    var name: IdentityName?
    var requested = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("requested", \.requested, "Delete the request, not the identity of that name"),
    .flag("yes", short: "y", \.yes, "Delete without asking"),
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
    // What is damaged can be deleted too.
    guard !arguments.requested, names.contains(name) || !requested.contains(name) else {
      return try await deleteRequest(
        name, isAgreed: arguments.yes || !requested.contains(name), session, context)
    }
    let identity = try? store.identity(named: name)
    if names.contains(name) {
      let subject = identity.map { " (\($0.chain.subject))" } ?? ""
      try await context.confirm(
        "Delete the identity \(name)\(subject) and its key?", isAgreed: arguments.yes)
    }
    try await store.remove(name)
    context.report(report(name, "identity"), "deleted the identity '\(name)'")
    await context.warnOfBoundTokens(identity?.chain, replacedBy: nil, in: session)
  }

  private static func deleteRequest(
    _ name: IdentityName, isAgreed: Bool, _ session: ProfileSession, _ context: Context
  ) async throws {
    try await context.confirm(
      "Delete the request of \(name) and its key? Its certificate cannot be used then.",
      isAgreed: isAgreed)
    try await session.identities.store().removeRequested(name)
    context.report(report(name, "request"), "deleted the request of '\(name)'")
  }

  private static func report(_ name: IdentityName, _ what: String) -> JSON {
    ["name": .string(name.description), "deleted": .string(what)]
  }
}
