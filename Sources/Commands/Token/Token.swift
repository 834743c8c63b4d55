import Arguments
import HTTP
import Primitives
import SDKCore

enum Token: Command {
  static let page = CommandInfo(
    name: "token", group: .access, summary: "Print an access token",
    description: """
      Prints a valid access token of the profile: `sdkctl token`. If the stored token is valid \
      for another 30 seconds (`--min-ttl`), it is printed without using the network. Otherwise it \
      is refreshed first, by one process; other processes wait and use the new token. Implicit and \
      anonymous tokens are requested again instead.

      `--scope` and `--audience` request a token with less scope, or for another service, by token \
      exchange (RFC 8693) if the server supports it, and by client credentials for an anonymous \
      token. The slot keeps its own token; the other one is stored until it expires, for the next \
      call with the same scope and audience. Without token exchange, a profile needs \
      `narrowedRefresh=true`, which gets the token by a refresh; some servers then limit the whole \
      login to that scope. Scope that the user did not grant is refused. Otherwise use \
      `sdkctl login --implicit --scope SCOPE` and `sdkctl token --implicit`.

      A token that is bound to a key (see {login}) does not work alone: each request also needs \
      its own proof (RFC 9449), which is valid for a short time. If the server requires a nonce, the \
      proof contains the last one that {fetch} received.

      An ID token tells another program who the user is; never send it to an API in place of an \
      access token. It is refreshed only if the server sends a new one with a refresh.

      `--field NAME` prints one value of `--json`, or a claim of the token if it is a JWT.

      Of a login by {login form}, which can be cookies, `--header`, `--curl`, `--cookie`, `--cookie-jar` and \
      `--json` print the cookies. If they have expired, the user is logged in again as `reauthenticate` says.

      If SDKCTL_TOKEN, BEARER_TOKEN or the file of BEARER_TOKEN_FILE has a token, it is the user's; the \
      stored user and implicit tokens are not used. It is never refreshed; if it is a JWT that has \
      expired, the status is 16. {token list} shows where it comes from.

      No command prints the refresh token: it is worth the whole login, and only sdkctl needs it. A program \
      that runs for long calls `sdkctl token` each time it needs an access token, or reads the file of \
      `--watch`.
      """,
    examples: [
      ("sdkctl token --header | curl -H @- https://api.example.com/me", "Call an API by hand"),
      (
        "sdkctl token --curl | curl -K - https://api.example.com/me",
        "Call it with a configuration for curl"
      ),
      ("eval \"$(sdkctl token --env sh)\"", "Set shell variables"),
      ("sdkctl token --scope read", "Print a token that can only read"),
      ("sdkctl token --min-ttl 600", "Print a token for a job of ten minutes"),
      (
        "sdkctl token --curl --proof-for 'GET https://api.example.com/me' "
          + "| curl -K - https://api.example.com/me", "Send a bound token with its proof"
      ),
      ("sdkctl token --field expires", "Print when it expires"),
      ("sdkctl token --output token.txt --watch", "Keep a valid token in a file"),
      (
        "sdkctl token --cookie-jar | curl -b - https://api.example.com/me",
        "Call an API with the cookies of login form"
      ),
    ],
    exitCodes: [16],
    seeAlso: ["token list", "token decode", "exec", "credential", "login"],
    output: PrintedToken.rows.document
      .or("With `--id-token`", PrintedToken.idTokenRows.document)
      .or("For cookies", PrintedToken.cookieRows.document),
    needs: .session)

  struct Arguments: CommandArguments {
    var selection = TokenSelection()
    var form = TokenForm.bare
    var proof: ProofTarget?
    var output = OutputArguments()
  }

  static let options: [Option<Arguments>] =
    mainOptions
    + .group(
      "Which token",
      (TokenSelection.whichToken("Print") + [
        TokenSelection.idToken("Print the user's ID token instead").excludes(["proof-for", "env"])
      ]).of(\.selection))
    + .group(.outputFile, outputOptions)
    + .group("Cookies", cookieOptions)
    + TokenSelection.otherTokens("Request").of(\.selection)
    + .group("Proof of possession", proofOptions)

  private static let mainOptions: [Option<Arguments>] = [
    .flag("header", \.form, setting: .header, "Print an Authorization header line")
      .exclusive("form").excludes("json", "field"),
    .flag("curl", \.form, setting: .curl, "Print a configuration for curl -K -")
      .exclusive("form").excludes("json", "field"),
    .value("env", "SHELL", \.form, "Print variables for a shell, or a file of variables") {
      (text) throws(ValueError) in
      .environment(try TokenForm.Shell.choosing(text))
    }
    .more(
      """
      The variables are SDKCTL_ACCESS_TOKEN, SDKCTL_TOKEN_TYPE, SDKCTL_TOKEN_EXPIRES (ISO 8601), SDKCTL_ISSUER \
      and SDKCTL_RESOURCE_URL, as far as they are known. `dotenv` prints `NAME=VALUE` lines; `github` prints \
      them for `$GITHUB_ENV`, whose job should mask the token first.
      """
    )
    .completing(.choices(TokenForm.Shell.choices)).exclusive("form")
    .excludes("json", "field"),
  ]

  private static let cookieOptions: [Option<Arguments>] = [
    .flag("cookie", \.form, setting: .cookie, "Print the value of a Cookie header for resourceURL")
      .exclusive("form"),
    .flag(
      "cookie-jar", \.form, setting: .cookieJar, "Print the cookies as a file for curl -b"
    ).exclusive("form"),
  ]

  private static let proofOptions: [Option<Arguments>] = [
    .value(
      "proof-for", "'METHOD URL'", \.proof, "Add the proof for a request with a bound token",
      reading: ProofTarget.init,
      expected: "a method and an https URL, such as 'GET https://HOST/PATH'"
    ).needs("header", "curl", "json", "field")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if let path = arguments.output.path {
      return try await write(to: path, arguments, in: context)
    }
    let session = try context.session()
    if try await printCookies(arguments, session, context) { return }
    let selection = arguments.selection
    if selection.idToken {
      let token = try await selection.idToken(in: session, context)
      return print(token, arguments.form, session, context)
    }
    let tokens = try await selection.token(in: session, context)
    try requireUnexpired(tokens, session, context)
    if let expires = tokens.expires,
      expires.seconds(since: context.now()) < selection.demand.minimumLifetime
    {
      context.warn(
        sameIdentifier(tokens.accessToken, session.injectedToken)
          ? "the token of the environment \(Age.text(of: expires, at: context.now()))"
          : "the server issues tokens that are valid for less than --min-ttl")
    }
    try await print(tokens, arguments, session, context)
  }

  /// Refuses a token of the environment that has expired: nothing here can renew it.
  static func requireUnexpired(
    _ tokens: TokenSet, _ session: ProfileSession, _ context: Context
  ) throws {
    guard let expires = tokens.expires, expires <= context.now(),
      sameIdentifier(tokens.accessToken, session.injectedToken)
    else { return }
    let variable = try EnvironmentToken.find(context.environment)?.variable ?? "the environment"
    throw Failure(
      .tokenExpired,
      "could not print the token: that of \(variable) \(Age.text(of: expires, at: context.now()))")
  }

  private static func print(
    _ token: IDToken, _ form: TokenForm, _ session: ProfileSession, _ context: Context
  ) {
    if context.globals.json {
      context.print(
        PrintedToken.idTokenRows.json((token, session.profile.name)),
        fallback: { claims(of: token.text) })
      return
    }
    for line in form.lines(bearer: token.text, of: session.profile) { context.print(line) }
  }

  private static func print(
    _ tokens: TokenSet, _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws {
    let form = arguments.form
    let proof = try await proof(for: tokens, arguments, session, context)
    if context.globals.json {
      let jkt = tokens.isBound ? try await session.tokens.dpopThumbprint() : nil
      let printed = PrintedToken(
        tokens: tokens, slot: arguments.selection.slot, profile: session.profile.name, jkt: jkt,
        proof: arguments.proof == nil ? nil : .some(proof))
      context.print(
        PrintedToken.rows.json(printed), fallback: { claims(of: tokens.accessToken) })
      return
    }
    if tokens.isBound, proof == nil, form.isHeader {
      context.note("the token is bound to a key: a request needs a proof too, see --proof-for")
    }
    for line in form.lines(tokens, proof: proof, of: session.profile) { context.print(line) }
  }

  private static func proof(
    for tokens: TokenSet, _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws -> String? {
    guard let target = arguments.proof else { return nil }
    return try await session.tokens.proof(for: tokens, target.method, target.url)
  }
}
