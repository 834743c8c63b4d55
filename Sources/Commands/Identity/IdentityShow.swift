import Arguments
import POSIX
import Primitives
import SDKCore

enum IdentityShow: Command {
  static let page = CommandInfo(
    name: "show", summary: "Show an identity without its key",
    description: """
      Prints what is known of an identity, but not its private key. With `--pem` the certificates \
      are printed, the client's own first. A request that waits for its certificate is shown if \
      there is no identity of that name.
      """,
    examples: [
      ("sdkctl identity show api.example.com", "Show an identity"),
      ("sdkctl identity show api.example.com --pem", "Print its certificates"),
    ],
    exitCodes: [9], seeAlso: ["identity list"], output: IdentityReport.rows.document)

  struct Arguments: CommandArguments {
    var name: IdentityName?
    var pem = false
  }

  static let options: [Option<Arguments>] = [
    .flag("pem", \.pem, "Print the certificates as PEM")
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.name, "An identity; may be left out if there is only one")
      .completing(.dynamic("all-identities"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    if let request = try request(arguments, session) {
      return context.print(
        document: IdentityReport(request: request, now: context.now()), IdentityReport.rows)
    }
    let identity = try context.identity(arguments.name, of: session)
    guard !arguments.pem else { return context.output.write(identity.chain.pem) }
    context.print(
      document: IdentityReport(identity: identity, now: context.now()), IdentityReport.rows)
  }

  /// The request of the name, if there is no identity of it.
  private static func request(
    _ arguments: Arguments, _ session: ProfileSession
  ) throws -> RequestedIdentity? {
    guard let name = arguments.name, !arguments.pem else { return nil }
    let store = session.identities.store()
    return try store.names().contains(name) ? nil : try store.requested(name)
  }
}

extension Context {
  /// An identity by name; the only one if there is no name.
  func identity(
    _ name: IdentityName?, of session: ProfileSession
  ) throws -> Identity {
    let store = session.identities.store()
    if let name { return try store.identity(named: name) }
    let names = try store.names()
    guard let only = names.first, names.count == 1 else {
      throw SDKError(
        names.isEmpty ? .identity : .invalidRequest,
        names.isEmpty
          ? "could not choose an identity: '\(session.profile.name)' has none"
          : "could not choose an identity: there are several: "
            + names.map(\.description).joined(separator: ", "))
    }
    return try store.identity(named: only)
  }
}
