import Arguments
import SDKCore

/// The arguments that all credential helpers have: which token they return.
protocol HelperArguments: CommandArguments {
  var request: HelperRequest { get set }
}

/// Which token a helper returns, and how it may get one.
struct HelperRequest: Sendable {
  var minimumLifetime: Duration = .seconds(30)
  var slot = CredentialSlot.user
  var scope: String?
  var audience: String?
  var interactive = false

  /// Whether it names another token than the user's access token.
  var selectsToken: Bool { slot != .user || scope != nil || audience != nil }

  var demand: TokenDemand { TokenDemand(minimumLifetime: minimumLifetime.components.seconds) }
}

extension Option where Arguments: HelperArguments {
  /// `--username`: one line, because helper protocols are lines.
  static func username(_ path: any Path<String>, _ summary: String) -> Self {
    .value("username", nil, "NAME", path, summary) { (text) throws(ValueError) in
      guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw ValueError("it has a line break or another control character")
      }
      return text
    }
  }

  /// The options of all credential helpers.
  static var ofHelpers: [Option<Arguments>] {
    [
      .value(
        "min-ttl", nil, "SECONDS", \.request.minimumLifetime, "Refresh a token that expires sooner"),
      .flag("interactive", nil, \.request.interactive, "Log in by browser if a login is needed"),
    ] + CredentialSlot.options(\.request.slot, "Use")
      + .group(
        .otherTokens,
        [
          .value("scope", nil, "SCOPE", \.request.scope, "Use a token with this scope"),
          .value("audience", nil, "NAME", \.request.audience, "Use a token for this service"),
        ])
  }
}

extension HelperRequest {
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
    return words
  }
}
