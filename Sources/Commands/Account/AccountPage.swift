import Arguments
import HTTP
import JSON
import SDKCore

let accountPage = CommandInfo(
  name: "account", group: .access, summary: "Create an account, or reset its password",
  description: """
    Accounts are what people have at a provider before they can log in. The provider's page opens \
    in a browser, or with `--email` the server sends a mail. See \
    {login} for a user of an identity provider.
    """,
  examples: [("sdkctl account create", "Create an account")],
  seeAlso: ["login", "profiles"])

/// The two ways to an account: a page of the provider, or a letter to an email address.
struct AccountVisit {
  let action: AccountAction
  let session: ProfileSession
  let context: Context

  /// Requests the server to send an email to an address.
  func ask(_ email: EmailAddress) async throws {
    let name = session.profile.name
    try await session.account.ask(action, for: email)
    if context.globals.json {
      context.print([
        "profile": .string(name.description), "email": .string(email.text),
        "asked": action == .signUp ? "account" : "password_reset",
      ])
    } else {
      context.note("the server accepted the request; read its mail to \(email.text)")
    }
  }

  /// Leads to the page of the profile; returns false if the server wants a login instead.
  func visit(opens: Bool) async throws -> Bool {
    let name = session.profile.name
    let way = try await session.account.way(to: action)
    guard case .page(let url) = way else { return false }
    let isOpen = opens ? await Browser(context: context).visit(url) : false
    if context.globals.json {
      context.print([
        "profile": .string(name.description), "url": .string(url.description),
        "opened": .bool(isOpen),
      ])
    } else {
      context.note(isOpen ? "a browser was started for this page:" : "open this page:")
      context.print(url.description)
    }
    return true
  }
}

/// What the commands of an account take.
struct AccountArguments: CommandArguments {
  var email: EmailAddress?
  var browser = true

  static let options: [Option<AccountArguments>] = [
    .value("email", "ADDRESS", \.email, "Have the server send a mail to this address") {
      (text) throws(ValueError) in
      guard let address = EmailAddress(text) else {
        throw ValueError("expected a mail address such as alice@example.com")
      }
      return address
    },
    .flag("browser", \.browser, "Open a browser (default)", negatable: true),
  ]
}
