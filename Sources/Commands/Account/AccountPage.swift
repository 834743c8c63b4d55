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

  /// What has become of the account.
  struct Outcome {
    let profile: ProfileName
    var login: NewLogin?
    var url: HTTPURL?
    var isOpen = false
    var email: EmailAddress?
    var action: AccountAction?
  }

  static let rows = Rows<Outcome>(
    .member("profile", "the profile") { $0.profile.description },
    .member("login", "the login of a new user, as {login} prints it") {
      $0.login.map(NewLogin.rows.json)
    },
    .member("url", "the page of the provider") { $0.url?.description },
    .member("opened", "whether a browser was started for it") { $0.isOpen },
    .member("email", "the address to which the server sends a mail") { $0.email?.text },
    .member("asked", "what for: `account` or `password_reset`") { outcome in
      outcome.action.map { $0 == .signUp ? "account" : "password_reset" }
    })

  /// Requests the server to send an email to an address.
  func ask(_ email: EmailAddress) async throws {
    try await session.account.ask(action, for: email)
    context.report(
      Outcome(profile: session.profile.name, email: email, action: action), Self.rows,
      "the server accepted the request; read its mail to \(email.text)")
  }

  /// Leads to the page of the profile; returns false if the server wants a login instead.
  func visit(opens: Bool) async throws -> Bool {
    guard case .page(let url) = try await session.account.way(to: action) else { return false }
    let isOpen = opens ? await Browser(context: context).visit(url) : false
    context.report(
      Outcome(profile: session.profile.name, url: url, isOpen: isOpen), Self.rows,
      isOpen ? "a browser was started for this page:" : "open this page:")
    if !context.globals.json { context.print(url.description) }
    return true
  }
}

/// What the commands of an account take.
struct AccountArguments: CommandArguments {
  var email: EmailAddress?
  var browser = true

  static let options: [Option<AccountArguments>] = [
    .value(
      "email", "ADDRESS", \.email, "Have the server send a mail to this address",
      reading: EmailAddress.init, expected: "a mail address such as alice@example.com"),
    .flag("browser", \.browser, "Open a browser (default)", negatable: true),
  ]
}
