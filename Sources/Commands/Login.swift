import Arguments
import HTTP
import JSON
import SDKCore

/// `sdkctl login` -- log a user in through the browser, or this installation without one.
enum Login: Command {
  static let page = Page(
    name: "login", group: .access, summary: "Log in through the browser",
    description: """
      Opens the authorization server in a browser and waits for its answer on a loopback address \
      (RFC 8252, with PKCE). `$BROWSER` chooses the browser. Where there is none, `--no-browser` \
      prints the URL alone; with `--callback-port` an SSH tunnel (`ssh -L 8976:127.0.0.1:8976`) \
      brings the answer from a browser elsewhere.

      With `--anonymous`, the token of this installation is obtained anew (client credentials); \
      no person is needed. The tokens are kept, and {token} and {fetch} use and refresh them.

      Only one login of a profile runs at a time on a machine; whoever waited gets its result.
      """,
    examples: [
      ("sdkctl login", "Log in"),
      ("sdkctl login --no-browser --callback-port 8976", "Log in over SSH"),
      ("sdkctl login --anonymous", "Obtain a token for this installation"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 11, 14], seeAlso: ["register", "token", "logout"],
    json: "An object with `profile`, `slot`, `subject` (or null), `scope` and `expires`.",
    needs: [.profile, .network])

  struct Arguments: Sendable {
    var browser = true
    var anonymous = false
    var port: UInt16?
    var scope: String?
    var prompt: String?
    var loginHint: String?
    var acr: String?
    var maxAge: Int64?
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] = [
    .flag("browser", nil, \.browser, "Open a browser (default)", negatable: true),
    .flag("anonymous", nil, \.anonymous, "Log this installation in, not a user"),
    .value("callback-port", nil, "PORT", \.port, "Listen on this loopback port"),
    .value("scope", nil, "SCOPE", \.scope, "Ask for this scope, else the profile's"),
    .value("prompt", nil, "WORDS", \.prompt, "OpenID Connect prompt: login, consent or none"),
    .value("login-hint", nil, "TEXT", \.loginHint, "Tell the server who is about to log in"),
    .value("acr", nil, "WORDS", \.acr, "Ask for an authentication context"),
    .value("max-age", nil, "SECONDS", \.maxAge, "Ask anew if the last login is older"),
  ]

  static func check(_ arguments: Arguments) throws(ValueError) {
    let asksPerson =
      !arguments.browser || arguments.port != nil || arguments.scope != nil
      || arguments.prompt != nil || arguments.loginHint != nil || arguments.acr != nil
      || arguments.maxAge != nil
    if arguments.anonymous, asksPerson {
      throw ValueError("--anonymous needs no person, and so none of the other options")
    }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    let name = session.profile.name
    if arguments.anonymous {
      let tokens = try await translating(name) { () async throws(SDKError) in
        try await session.loginAnonymously()
      }
      report(tokens, nil, .device, name, context)
      return
    }
    let options = options(arguments, context)
    let result = try await translating(name) { () async throws(SDKError) in
      try await session.login(options) { url in
        await Browser(context: context).present(url, opens: arguments.browser)
      }
    }
    if result.isShared { context.note("another process has just logged in; using its login") }
    report(result.tokens, result.subject, .user, name, context)
  }

  private static func options(_ arguments: Arguments, _ context: Context) -> LoginOptions {
    var options = LoginOptions()
    options.scope = arguments.scope
    options.port = arguments.port
    options.timeout = context.globals.timeout
    options.parameters["prompt"] = arguments.prompt
    options.parameters["login_hint"] = arguments.loginHint
    options.parameters["acr_values"] = arguments.acr
    options.parameters["max_age"] = arguments.maxAge.map { String($0) }
    return options
  }

  private static func report(
    _ tokens: TokenSet, _ subject: String?, _ slot: CredentialSlot, _ name: ProfileName,
    _ context: Context
  ) {
    if context.globals.json {
      context.print([
        "profile": .string(name.description), "slot": .string(slot.rawValue),
        "subject": subject.map { .string($0) } ?? .null,
        "scope": tokens.scope.map { .string($0) } ?? .null,
        "expires": tokens.expires.map { .string(Timestamp($0).description) } ?? .null,
      ])
      return
    }
    let who = slot == .device ? "this installation" : subject ?? "the user"
    let end = tokens.expires.map { "; the token \(Age.text(of: $0, at: context.now()))" } ?? ""
    context.note("logged \(who) in to '\(name)'\(end)")
  }
}
