import Arguments
import SDKCore

/// `sdkctl register user` -- register a user in the browser.
enum RegisterUser: Command {
  static let page = CommandInfo(
    name: "user", summary: "Register a user in the browser",
    description: """
      Opens a browser in which a user registers with an identity provider, and stores the user's \
      tokens: `sdkctl register user --idp corporate`. A user who was logged in before is replaced.

      If this installation is not registered, it is registered first, as {register} does without \
      options. The identity providers that may be named are those of the profile's \
      `identityProviders`, if it has that value; without `--idp` the server chooses. {profile metadata} can \
      list those of the server.
      """,
    examples: [
      ("sdkctl register user", "Register a user"),
      ("sdkctl register user --idp corporate", "Register a user with an identity provider"),
      ("sdkctl register user --no-browser", "Print the URL instead of opening a browser"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9, 11, 14, 15], seeAlso: ["register", "login", "account create"],
    json: "The object of {login}.", needs: .network)

  struct Arguments: CommandArguments {
    var idp: String?
    var scope: String?
    var browser = true
  }

  static let options: [Option<Arguments>] = [
    .value("idp", nil, "NAME", \.idp, "Use this identity provider"),
    .value("scope", nil, "SCOPE", \.scope, "Ask for this scope, not the profile's")
      .allowingEmpty(),
    .flag("browser", nil, \.browser, "Open a browser (default)", negatable: true),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try context.noteFileChoice()
    let session = try context.session()
    var options = LoginOptions()
    options.scope = arguments.scope
    try await register(
      options, identityProvider: arguments.idp, session, context, opens: arguments.browser)
  }

  /// Registers a user, and before that this installation if it is not registered.
  static func register(
    _ options: LoginOptions, identityProvider: String? = nil, _ session: ProfileSession,
    _ context: Context, opens: Bool
  ) async throws {
    let name = session.profile.name
    var options = options
    options.timeout = context.remaining
    let chosen = options
    let known = try await session.registration.usable()
    if known == nil {
      var client = RegistrationOptions()
      client.scope = options.scope
      let described = client
      let registration = try await session.registration.register(described)
      RegistrationReport(registration: registration, profile: name).note(context)
    }
    let result = try await session.login.registerUser(
      by: .browser { await Browser(context: context).present($0, opens: opens) }, chosen,
      identityProvider: identityProvider)
    LoginReport(result: result, slot: .user, session: session).print(context)
  }
}
