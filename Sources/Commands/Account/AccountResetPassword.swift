import Arguments
import SDKCore

enum AccountResetPassword: Command {
  static let page = CommandInfo(
    name: "reset-password", summary: "Reset the password of an account",
    description: """
      Opens the provider's page for forgotten passwords, `resetPasswordURL` of the profile, in a \
      browser: `sdkctl account reset-password`.

      With `--email` no browser opens: the server sends a mail to the address. The profile \
      must name `endpoints.passwordReset` for that.
      """,
    examples: [
      ("sdkctl account reset-password", "Reset the password in the browser"),
      ("sdkctl account reset-password --email alice@example.com", "Reset the password by email"),
    ],
    seeAlso: ["account create", "login"],
    output: AccountVisit.rows.document, needs: .session)

  static let options = AccountArguments.options

  static func run(_ arguments: AccountArguments, in context: Context) async throws {
    let session = try context.session()
    let visit = AccountVisit(action: .passwordReset, session: session, context: context)
    if let email = arguments.email { return try await visit.ask(email) }
    _ = try await visit.visit(opens: arguments.browser)
  }
}
