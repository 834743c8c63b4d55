import Primitives

/// What to use in place of a word of another program, or of an earlier version.
enum Replacement {
  /// The advice for a command or an option that does not exist, by its words; `nil` for none.
  static func advice(_ words: [String]) -> String? {
    if words.first == "fetch", let word = words.last,
      let advice = CurlOption.advice(word) ?? fetchOperand(word)
    {
      return advice
    }
    if let option = words.last, option.hasPrefix("--"), option.hasSuffix("-stdin") {
      return "use `\(option.dropLast("stdin".count))file -`"
    }
    if words.first == "login", let option = words.last, let setting = loginSettings[option] {
      return "use the setting \(setting)"
    }
    if let option = words.last, option.hasSuffix("pin-file") {
      return "use `\(option.dropLast("pin-file".count))passcode-file`"
    }
    return removed[words.joined(separator: " ")]
  }

  /// What to use for an operand that curl's `--json` and other programs take.
  private static func fetchOperand(_ word: String) -> String? {
    if word.hasPrefix("{") || word.hasPrefix("[") {
      return "send JSON with `--data` (-d); `--json` prints the response as JSON"
    }
    return (try? Parameter.reading(word)).map { _ in
      "send a parameter with `--param \(ShellWord.quoted(word))`"
    }
  }

  /// What is a property of the provider, and was an option of `login`.
  private static let loginSettings = [
    "--dpop": "dpop=on", "--par": "par=true", "--jar": "jar=true",
    "--response-mode": "responseMode=MODE",
  ]

  /// How the keys of a server are found that begins TLS by STARTTLS.
  static let startTLS =
    "openssl fetches the certificates: `openssl s_client -starttls PROTOCOL -connect HOST:PORT "
    + "-showcerts </dev/null | sdkctl pin hash -`"

  private static let removed: [String: String] = {
    var removed = [
      "pin edit": "use `pin set`", "profile change-pin": "use `profile passcode`",
      "profile store key create": "use `profile store key export --new`",
      "profile lint": "use `profile import FILE --dry-run`, or `doctor` for stored profiles",
      "profile users": "use `user list`", "register user": "use `login`",
      "deregister user": "use `user remove`",
      "profile rename": "use `profile copy`, then `login` and `profile remove`",
      "profile list --state": "use `status --all`",
      "doctor --bundle": "use `doctor --json`",
      "dispatch-target modify": "use `dispatch-target delete` and `create`",
      "pin update --keep":
        "`pin update` keeps a key that no chain has until its certificate has ended",
      "token --force-new": "use `--fresh`",
      "pin update --from": "use `pin import FILE --signed-by KEY`",
    ]
    for command in ["verify", "sign"] {
      removed["token \(command) --secret-base64"] = "use `--secret-file <(base64 -d FILE)`"
    }
    for command in ["add", "check", "hash", "show"] {
      removed["pin \(command) --starttls"] = startTLS
    }
    return removed
  }()
}
