import Arguments
import HTTP
import SDKCore

enum AccountCreate: Command {
  static let page = CommandInfo(
    name: "create", summary: "Create an account at the provider",
    description: """
      Opens the provider's page for new accounts in a browser: `sdkctl account create`. If the \
      server announces `prompt=create` (Initiating User Registration via OpenID Connect), the new \
      user is also logged in, as by {login}. Else the page is `accountURL` of the profile.

      With `--email` no browser opens: the server sends a mail to the address. The profile \
      must name `endpoints.account` for that.
      """,
    examples: [
      ("sdkctl account create", "Create an account in the browser"),
      ("sdkctl account create --email alice@example.com", "Create an account by email"),
    ],
    exitCodes: [15],
    seeAlso: ["account reset-password", "login"],
    output: AccountVisit.rows.document, needs: .session)

  static let options = AccountArguments.options

  static func run(_ arguments: AccountArguments, in context: Context) async throws {
    let session = try context.session()
    let visit = AccountVisit(action: .signUp, session: session, context: context)
    if let email = arguments.email { return try await visit.ask(email) }
    if try await visit.visit(opens: arguments.browser) { return }
    if try await session.registration.usable() == nil {
      let registration = try await session.registration.register(RegistrationOptions())
      RegistrationReport(registration: registration, profile: session.profile.name).note(context)
    }
    var options = LoginOptions()
    options.parameters["prompt"] = "create"
    options.timeout = context.remaining
    let opens = arguments.browser
    let result = try await session.login.registerUser(
      by: .browser { await Browser(context: context).present($0, opens: opens) }, options)
    let report = LoginReport(result: result, slot: .user, session: session)
    await report.finish(context) { login in
      AccountVisit.rows.json(.init(profile: session.profile.name, login: login))
    }
  }
}
