import Arguments
import SDKCore

enum LoginToken: Command {
  static let page = CommandInfo(
    name: "token", summary: "Take over the login of another program",
    description: """
      Reads the tokens that another program obtained with the client of this profile, and stores them \
      as a login: `sdkctl login token --token-file tokens.json`. The input is a token response of \
      the server, JSON with `access_token`, `refresh_token`, `id_token` and `scope` (RFC 6749 section 5.1), or \
      one line with a refresh token.

      The server must accept the tokens before they are stored: a refresh token is refreshed once, \
      and an access token without one is used at the userinfo endpoint. The same checks are made as \
      after any login: an ID token must be signed by the issuer, for this client, and of the same user as \
      what the refresh returns; it may have expired.

      Many servers replace a refresh token when it is used: the other program is then logged out. \
      The end of an access token is not known if it is not a JWT: `expires_in` is counted from now. A token \
      that is bound to a key (DPoP) of the other program cannot be taken over. If the profile has no \
      client yet, store that of the other program with `sdkctl register --client-id ID`.
      """,
    examples: [
      ("sdkctl login token --token-file tokens.json", "Take over a token response"),
      ("sdkctl login token --token-file refresh-token", "Take over a refresh token"),
    ],
    seeAlso: ["login", "register", "token"],
    output: NewLogin.rows.document, needs: .session)

  struct Arguments: GrantArguments {
    var tokenFile: String?
    var resources: [String] = []
    var tokenParameters: [TokenParameter] = []

    var scope: String? { nil }
  }

  static let options: [Option<Arguments>] =
    [
      .secret("token", \.tokenFile, "the tokens"), .resources(\.resources),
      .tokenParameters(\.tokenParameters),
    ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard let file = arguments.tokenFile else {
      throw Failure.usage("--token-file is missing")
    }
    let session = try arguments.session(context)
    let bytes = try context.secretBytes("tokens", orInput: "--token-file -", file: file)
    try await arguments.logIn(by: .existing(try ExistingTokens(reading: bytes)), session, context)
  }
}
