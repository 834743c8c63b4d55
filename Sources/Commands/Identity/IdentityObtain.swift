import Arguments
import SDKCore

enum IdentityObtain: Command {
  static let page = CommandInfo(
    name: "obtain", summary: "Obtain an identity from the enrolment service",
    description: """
      Obtains a client certificate for a host from the profile's enrolment service, and stores it: \
      `sdkctl identity obtain api.example.com`. An obtained identity of the same name is replaced; \
      one that was imported only with `--replace`. If its key is sealed, a passphrase for the new \
      one is asked for. Without a host it is for that of the profile's resource URL.

      A service that needs a token of the user gets that of the profile. If there is none, the user \
      logs in by browser first: on a terminal, or with `--interactive`.
      """,
    examples: [("sdkctl identity obtain", "Obtain an identity for the profile's host")],
    seeAlso: ["identity renew", "identities"],
    output: IdentityReport.rows.document, needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var host: IdentityHost?
    var name: IdentityName?
    var replace = false
    var seal = false
    var interactive = false
  }

  static let options: [Option<Arguments>] = [
    .value("name", "NAME", \.name, "Name it, in place of its host"),
    .flag("replace", \.replace, "Replace an imported identity of the same name"),
    .flag("interactive", \.interactive, "Log in by browser if the service needs a token"),
    .seal(\.seal),
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("HOST", \.host, "The host, or '*.DOMAIN' for all below it")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session {
      if arguments.interactive || context.isInteractive { context.logInForIdentities(&$0) }
    }
    try session.identities.requireEnrolment()
    let request = try session.identities.request(for: arguments.host, named: arguments.name)
    let former = try? session.identities.store().identity(named: request.name)
    let passphrase = try await context.newPassphrase(
      isWanted: arguments.seal || former?.key.isSealed == true)
    let identity = try await session.identities.obtain(
      request, passphrase: passphrase, replaces: arguments.replace)
    context.report(identity, "obtained")
    await context.warnOfBoundTokens(former?.chain, replacedBy: identity.chain, in: session)
  }
}
