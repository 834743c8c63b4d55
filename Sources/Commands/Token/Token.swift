import Arguments
import JSON
import Primitives
import SDKCore

/// `sdkctl token` -- print an access token, refreshed when it is about to expire.
enum Token: Command {
  static let page = Page(
    name: "token", group: .access, summary: "Print an access token",
    description: """
      Prints a valid access token of the profile. One that lives on for `--min-ttl` seconds is \
      printed as it is stored, without network. Otherwise it is refreshed first: by one process \
      of the machine, while the others wait for what it gets. An implicit token and \
      that of a device are obtained anew.

      With `--scope` or `--audience`, a token is requested that has less scope, or is for another \
      service. It is printed and not stored, so each call asks the server. The request is a token \
      exchange (RFC 8693) if the server offers it, and client credentials for a device. Without \
      token exchange, only a profile with `narrowedRefresh=true` gets a token of less scope, by a \
      refresh: some servers then limit the whole login to that scope. Otherwise use \
      `sdkctl login --implicit --scope SCOPE` and `sdkctl token --implicit`. Scope that the \
      user has not granted is refused.

      If a refresh returns less scope than the login had, a warning on standard error says so.

      `--env` prints the assignments of SDKCTL_ACCESS_TOKEN, SDKCTL_TOKEN_TYPE, \
      SDKCTL_TOKEN_EXPIRES (ISO 8601), SDKCTL_ISSUER and SDKCTL_RESOURCE_URL, those that are \
      known.

      A token that is bound to a key (see {login}) is of no use alone: each request needs a \
      proof of its own too (RFC 9449). `--proof-for` makes one for a method and a URL, and \
      `--header`, `--curl` and `--json` print it with the token. It is good for one request, soon. \
      A server may answer 401 and ask for a nonce; what {fetch} has learned of it goes into the \
      proof.

      With SDKCTL_TOKEN in the environment, that token is the user's, and the stored tokens of the \
      user and the implicit token are not used.
      """,
    examples: [
      ("sdkctl token --header | curl -H @- https://api.example.com/me", "Call an API by hand"),
      ("sdkctl token --curl | curl -K - https://api.example.com/me", "The same, in curl's own way"),
      ("eval \"$(sdkctl token --env sh)\"", "Have the token in the shell"),
      ("sdkctl token --scope read", "Have a token that may only read"),
      ("sdkctl token --min-ttl 600", "Have a token for a job of ten minutes"),
      (
        "sdkctl token --curl --proof-for 'GET https://api.example.com/me' "
          + "| curl -K - https://api.example.com/me", "Send a bound token with its proof"
      ),
      ("sdkctl token --json | jq -r .expires", "See when it ends"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9, 10, 11, 14], seeAlso: ["token decode", "login", "fetch"],
    json: """
      An object with `accessToken`, `tokenType`, `expires` (or null), `scope` (or null), `slot`, \
      `profile` and `jkt` (the thumbprint of the key that it is bound to, or null); with \
      `--proof-for`, `proof` (or null); and `authorizationDetails` (RFC 9396), \
      `profileID`, `usageCount`, `usageLimit` and `biometric` (true) from servers that tell them.
      """,
    needs: [.profile, .network, .printsSecret])

  struct Arguments: Sendable {
    var minimumLifetime: Duration = .seconds(30)
    var slot = CredentialSlot.user
    var scope: String?
    var audience: String?
    var form = TokenForm.bare
    var proof: ProofTarget?
    var forceNew = false
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] =
    mainOptions + CredentialSlot.options(\.slot, "Print")
    + .group(.otherTokens, otherTokenOptions) + .group(.proofOfPossession, proofOptions)

  private static let mainOptions: [Option<Arguments>] = [
    .flag("header", nil, \.form, setting: .header, "Print an Authorization header line")
      .exclusive("form"),
    .flag("curl", nil, \.form, setting: .curl, "Print a configuration for curl -K -")
      .exclusive("form"),
    .value("env", nil, "SHELL", \.form, "Print variables for sh, fish or powershell") {
      (text) throws(ValueError) in
      guard let shell = TokenForm.Shell(rawValue: text) else {
        throw ValueError("expected sh, fish or powershell")
      }
      return .environment(shell)
    }
    .completing(.choices(TokenForm.Shell.allCases.map(\.rawValue))).exclusive("form"),
    .value("min-ttl", nil, "SECONDS", \.minimumLifetime, "Refresh a token that expires sooner"),
    .flag("force-new", nil, \.forceNew, "Refresh the token in any case"),
  ]

  private static let otherTokenOptions: [Option<Arguments>] = [
    .value("scope", nil, "SCOPE", \.scope, "Request a token with this scope"),
    .value("audience", nil, "NAME", \.audience, "Request a token for this service"),
  ]

  private static let proofOptions: [Option<Arguments>] = [
    .value(
      "proof-for", nil, "'METHOD URL'", \.proof, "Add the proof that a bound token needs there",
      reading: ProofTarget.init,
      expected: "a method and an https URL, such as 'GET https://HOST/PATH'")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    let slot = arguments.slot
    let demand = TokenDemand(
      minimumLifetime: arguments.minimumLifetime.components.seconds, forceNew: arguments.forceNew)
    let tokens = try await translating(session.profile.name) { () async throws(SDKError) in
      guard arguments.scope != nil || arguments.audience != nil else {
        return try await session.tokens.valid(for: slot, demand)
      }
      return try await session.tokens.narrowed(
        for: slot, scope: arguments.scope, audience: arguments.audience)
    }
    if let expires = tokens.expires,
      expires.subtractingClamped(context.now()) < demand.minimumLifetime
    {
      context.warn("the server's tokens live shorter than --min-ttl asks for")
    }
    try print(tokens, arguments, session, context)
  }

  private static func print(
    _ tokens: TokenSet, _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) throws(Failure) {
    let form = arguments.form
    let proof = try proof(for: tokens, arguments, session, context)
    if context.globals.json {
      let jkt = try translating(session.profile.name) { () throws(SDKError) in
        tokens.isBound ? try session.tokens.dpopThumbprint() : nil
      }
      let members = JSON.members([
        "accessToken": .string(tokens.accessToken), "tokenType": .string(tokens.tokenType),
        "expires": tokens.expires.map { .string(Timestamp($0).description) } ?? .null,
        "scope": tokens.scope.map { .string($0) } ?? .null,
        "slot": .string(arguments.slot.rawValue),
        "profile": .string(session.profile.name.description),
        "authorizationDetails": tokens.authorizationDetails,
        "jkt": jkt.map { .string($0) } ?? .null,
        "proof": arguments.proof == nil ? nil : proof.map { .string($0) } ?? .null,
      ])
      context.print(
        .object((members.object ?? [:]).merging(TokenUsageReport(tokens).json) { $1 }))
      return
    }
    if tokens.isBound, proof == nil, form.isHeader {
      context.note("the token is bound to a key: a request needs a proof too, see --proof-for")
    }
    for line in form.lines(tokens, proof: proof, of: session.profile) { context.print(line) }
  }

  private static func proof(
    for tokens: TokenSet, _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) throws(Failure) -> String? {
    guard let target = arguments.proof else { return nil }
    guard arguments.form.isHeader || context.globals.json else {
      throw .usage("--proof-for needs --header, --curl or --json")
    }
    return try translating(session.profile.name) { () throws(SDKError) in
      try session.tokens.proof(for: tokens, target.method, target.url)
    }
  }
}
