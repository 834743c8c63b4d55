import Arguments
import JSON
import SDKCore

enum IdentityRenew: Command {
  static let page = CommandInfo(
    name: "renew", summary: "Renew identities before they expire",
    description: """
      Obtains a new certificate from the profile's enrolment service, and stores it in place of the \
      former one: `sdkctl identity renew api.example.com`. The self-signed certificate of a \
      registration is replaced at the authorization server.

      `--within` renews only what is due: `30d` before it expires, or when `75%` of its validity \
      has passed. `--all` does so for all identities; without `--within`, when 66% has passed. It \
      prints nothing if nothing is due, so it can run every day: \
      `sdkctl -q identity renew --all --within 30d`. One process renews an identity at a time.

      An identity that was imported and is due causes a warning if the profile has no enrolment \
      service.
      """,
    examples: [
      ("sdkctl identity renew", "Renew the only identity"),
      ("sdkctl -q identity renew --all --within 30d", "Renew what is due, in a timer"),
    ],
    seeAlso: ["identity check", "identities"],
    output: IdentityReport.rows.list,
    needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var names: [IdentityName] = []
    var all = false
    var interactive = false
    var window: RenewalWindow?
  }

  static let options: [Option<Arguments>] = [
    .flag("all", \.all, "Renew all identities that are due"),
    .value("within", "SPAN", \.window, "Renew only what is due: 30d, 75%"),
    .flag("interactive", \.interactive, "Log in by browser if the service needs a token"),
  ]

  static let operands: [Operand<Arguments>] = [
    .any("NAME", \.names, "An identity; may be left out if there is only one")
      .completing(.dynamic("identities")).replaced(by: "all")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session {
      if arguments.interactive { context.logInForIdentities(&$0) }
    }
    let names = try names(arguments, session, context)
    let window = arguments.window ?? (arguments.all ? .standard : nil)
    var renewed: [Identity] = []
    var failure: SDKError?
    for name in names {
      do throws(SDKError) {
        let renewal = try await session.identities.renew(name, within: window)
        guard case .renewed(let identity, let former) = renewal else { continue }
        renewed.append(identity)
        if !context.globals.json { context.report(identity, "renewed") }
        await context.warnOfBoundTokens(former.chain, replacedBy: identity.chain, in: session)
      } catch {
        // The others are renewed even so.
        if arguments.all, error.code == .noEnrolment {
          context.warning(error.message)
        } else {
          if let failure { context.warning(failure.message) }
          failure = error
        }
      }
    }
    if context.globals.json {
      context.print(
        renewed.map { IdentityReport(identity: $0, now: context.now()) }, IdentityReport.rows)
    }
    if let failure { throw Failure(failure, profile: session.profile.name) }
  }

  private static func names(
    _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) throws -> [IdentityName] {
    if !arguments.names.isEmpty { return arguments.names }
    guard arguments.all else { return [try context.identity(nil, of: session).name] }
    return try session.identities.store().names()
  }
}
