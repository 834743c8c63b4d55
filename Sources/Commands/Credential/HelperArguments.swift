import Arguments
import SDKCore

/// The arguments that all credential helpers have: which token they return.
protocol HelperArguments: Sendable {
  var minimumLifetime: Duration { get set }
  var slot: CredentialSlot { get set }
  var scope: String? { get set }
  var audience: String? { get set }
  var interactive: Bool { get set }
}

extension Option where Arguments: HelperArguments {
  /// The options of all credential helpers.
  static var ofHelpers: [Option<Arguments>] {
    [
      .value(
        "min-ttl", nil, "SECONDS", \.minimumLifetime, "Refresh a token that expires sooner"),
      .flag("interactive", nil, \.interactive, "Log in by browser if a login is needed"),
    ] + CredentialSlot.options(\.slot, "Use")
      + .group(
        .otherTokens,
        [
          .value("scope", nil, "SCOPE", \.scope, "Use a token with this scope"),
          .value("audience", nil, "NAME", \.audience, "Use a token for this service"),
        ])
  }
}

extension HelperArguments {
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
