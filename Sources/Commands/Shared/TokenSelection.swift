import Arguments
import SDKCore

/// Which token a command hands out, and how it may get one.
struct TokenSelection: Sendable {
  var minimumLifetime: Duration = .seconds(30)
  var fresh = false
  var slot = CredentialSlot.user
  var scope: String?
  var audience: String?
  var interactive = false
  /// Whether it is the user's ID token, not an access token.
  var idToken = false

  /// The options that select another token than the user's access token.
  static let otherThanUser = ["implicit", "anonymous", "scope", "audience"]

  /// Whether it is another token than the user's access token.
  var selectsToken: Bool { slot != .user || scope != nil || audience != nil }

  var demand: TokenDemand {
    TokenDemand(
      minimumLifetime: minimumLifetime.components.seconds, forceNew: fresh)
  }

  /// The same token, as fresh as a demand says.
  func demanding(_ demand: TokenDemand) -> TokenSelection {
    var selection = self
    selection.minimumLifetime = .seconds(demand.minimumLifetime)
    selection.fresh = demand.forceNew
    return selection
  }

  /// A login, if one is needed and allowed.
  func login(_ session: ProfileSession, _ context: Context) -> InteractiveLogin {
    InteractiveLogin(session: session, context: context, isAllowed: interactive)
  }

  func token(in session: ProfileSession, _ context: Context) async throws -> TokenSet {
    try await login(session, context).run { () async throws(SDKError) in
      guard scope != nil || audience != nil else {
        return try await session.tokens.valid(for: slot, demand)
      }
      return try await session.tokens.narrowed(
        for: slot, scope: scope, audience: audience, demand)
    }
  }

  func idToken(in session: ProfileSession, _ context: Context) async throws -> IDToken {
    try await login(session, context).run { () async throws(SDKError) in
      try await session.tokens.idToken(demand)
    }
  }

  /// The words that repeat these arguments in the configuration of another program.
  var words: [String] {
    var words: [String] = []
    if minimumLifetime != .seconds(30) {
      words += ["--min-ttl", String(minimumLifetime.components.seconds)]
    }
    if interactive { words.append("--interactive") }
    if slot != .user { words.append(String(slot.option.dropFirst())) }
    if let scope { words += ["--scope", scope] }
    if let audience { words += ["--audience", audience] }
    if idToken { words.append("--id-token") }
    return words
  }
}

extension TokenSelection {
  private static let minimum = Option.value(
    "min-ttl", "SPAN", \Self.minimumLifetime, "Refresh a token that expires sooner")
  private static let interactively = Option.flag(
    "interactive", \Self.interactive, "Log in by browser if a login is needed")

  /// When a token is refreshed, and from which slot it is; the verb begins the help: "Print".
  static func whichToken(_ verb: String) -> [Option<Self>] {
    [minimum, .flag("fresh", \.fresh, "Refresh even if the token is valid"), interactively]
      + CredentialSlot.options(\.slot, verb)
  }

  static func otherTokens(_ verb: String) -> [Option<Self>] {
    .group(
      "Tokens with less scope, or for another service",
      [
        .value("scope", "SCOPE", \.scope, "\(verb) a token with this scope"),
        .value("audience", "NAME", \.audience, "\(verb) a token for this service"),
      ])
  }

  /// `--id-token`, which is not beside what selects an access token.
  static func idToken(_ summary: String) -> Option<Self> {
    .flag("id-token", \.idToken, summary).excludes(otherThanUser)
  }

  /// The options of the helpers for what a person does, with that person's token.
  static let ofUser: [Option<Self>] = [minimum, interactively] + otherTokens("Use")

  /// The options of the helpers that can use another slot, or the user's ID token.
  static func ofHelpers(idToken summary: String) -> [Option<Self>] {
    [idToken(summary), minimum, interactively] + CredentialSlot.options(\.slot, "Use")
      + otherTokens("Use")
  }
}

extension Option {
  /// `--username`: one line, because helper protocols are lines.
  static func username(_ path: any Path<String>, _ summary: String) -> Self {
    .value("username", "NAME", path, summary) { (text) throws(ValueError) in
      guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw ValueError("it has a line break or another control character")
      }
      return text
    }
  }
}
