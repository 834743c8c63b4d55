import Arguments
import Primitives
import SDKCore

/// What to use in place of a word of another program, or of an earlier version.
enum Replacement {
  /// The advice for a command or an option that does not exist, by its words; `nil` for none.
  static func advice(_ words: [String]) -> String? {
    let isFetch = words.first == "fetch"
    if let word = words.last,
      let advice = CurlOption.advice(word, atFetch: isFetch) ?? (isFetch ? fetchOperand(word) : nil)
    {
      return advice
    }
    if ["--yes", "-y"].contains(words.last) {
      return command(words.dropLast()) == nil
        ? "give it after the command" : "leave it out: this command does not need it"
    }
    if let option = words.last, option.hasPrefix("--"), option.hasSuffix("-stdin") {
      return "use `\(option.dropLast("stdin".count))file -`"
    }
    if words.first == "login", let option = words.last, let setting = loginSettings[option] {
      return "use the setting \(setting)"
    }
    if words.last == "--ca-file" {
      return "set the authorities of the profile: `profile set caFile=FILE`"
    }
    if let option = words.last, option.hasSuffix("pin-file") {
      return "use `\(option.dropLast("pin-file".count))passcode-file`"
    }
    return removed[words.joined(separator: " ")] ?? meaning(words).map { "use `\($0)`" }
      ?? profileOption(words) ?? passwordLogin(words)
  }

  /// How a user is named that stands where the subcommand of a login does.
  private static func passwordLogin(_ words: [String]) -> String? {
    guard words.dropLast() == ["login"], let user = words.last, !user.hasPrefix("-"),
      let names = commandTable.catalog.entry("login")?.visibleSubcommands.map(\.page.name),
      Suggestion.nearest(to: user, among: names) == nil
    else { return nil }
    return "to log in with a password, use `login password \(ShellWord.quoted(user))`"
  }

  /// How a profile is named that stands as an operand of a command without operands.
  private static func profileOption(_ words: [String]) -> String? {
    let path = words.dropLast()
    guard let command = command(path), command.operands.isEmpty,
      !["version", "list"].contains(path.last),
      let word = words.last, let name = try? ProfileName(word)
    else { return nil }
    return "a profile is named with -p: `\(ShellWord.sdkctl(of: name)) "
      + "\(path.joined(separator: " "))`"
  }

  /// The command of a whole path; `nil` for a group, and for none.
  private static func command(_ path: ArraySlice<String>) -> CommandCatalog.CommandDoc? {
    guard let entry = path.first.flatMap(commandTable.catalog.entry) else { return nil }
    return path.count == 1 && entry.subcommands.isEmpty
      ? entry.command : entry.subcommands.first { $0.path.elementsEqual(path) }
  }

  /// The command that does what a word means which is none of ours; `nil` if none does.
  private static func meaning(_ words: [String]) -> String? {
    guard words.count == 2, let entry = commandTable.catalog.entry(words[0]) else {
      return words.count == 1 ? commandsByMeaning[words[0]] : nil
    }
    let names = entry.visibleSubcommands.map(\.page.name)
    return verbs.first { meant, others in
      others.contains(identifier: words[1]) && names.contains(identifier: meant)
    }.map { "\(words[0]) \($0.meant)" }
  }

  /// What other programs call the acts that we have one word for.
  private static let verbs: [(meant: String, others: [String])] = [
    ("remove", ["delete", "rm", "del", "destroy", "drop"]), ("add", ["create", "new", "make"]),
    ("csr", ["create", "new", "add", "request"]), ("list", ["ls", "all"]),
    ("show", ["inspect", "describe", "view", "info", "get", "print"]),
    ("decode", ["inspect", "show", "parse", "view"]), ("use", ["select", "switch", "default"]),
    ("set", ["edit", "update", "modify", "change"]), ("test", ["check", "validate"]),
    ("check", ["test", "verify"]), ("introspect", ["info"]), ("renew", ["refresh"]),
    ("copy", ["clone", "cp"]), ("diff", ["compare"]),
  ]

  private static let commandsByMeaning: [String: String] = [
    "whoami": "status", "info": "status", "ls": "profile list", "profiles": "profile list",
    "init": "profile add", "setup": "profile add", "configure": "profile add",
    "add": "profile add", "create": "profile add", "remove": "profile remove",
    "delete": "profile remove", "settings": "profile show", "show": "profile show",
    "set": "profile set", "use": "profile use", "switch": "profile use", "users": "user list",
    "list": "profile list", "tokens": "token list", "inspect": "token decode",
    "access-token": "token", "get-token": "token", "jwt": "token decode", "pins": "pin list",
    "cert": "identity", "certificate": "identity", "certificates": "identity list",
    "identities": "identity list", "signin": "login", "auth": "login", "authenticate": "login",
    "signout": "logout", "signup": "account create", "unregister": "deregister",
    "curl": "fetch", "get": "fetch", "post": "fetch", "request": "fetch", "api": "fetch",
    "run": "exec", "serve": "proxy", "check": "doctor", "diagnose": "doctor",
    "alias": "config set alias.NAME=COMMAND", "aliases": "config list", "man": "help",
  ]

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
      "pin edit": "use `pin set`",
      "profile change-pin": "use `profile passcode` or `fido passcode`",
      "profile store key create": "use `profile store key export --new`",
      "profile lint": "use `profile import FILE --dry-run`, or `doctor` for stored profiles",
      "profile users": "use `user list`", "register user": "use `login`",
      "deregister user": "use `user remove`",
      "profile rename": "use `profile copy`, then `login` and `profile remove`",
      "profile list --state": "use `status --all`",
      "doctor --bundle": "use `doctor --json`",
      "token check": "use `token test`", "auth token": "use `token`",
      "login --token": "use `login token`", "identity add": "use `identity import`",
      "identity delete": "use `identity remove`",
      "identity check --expires-in": "use `--within`",
      "identity import --force": "use `--allow-unusable`",
      "pin import --force": "use `--replace`",
      "login assertion --subject": "use `--sub`",
      "profile passcode --fido": "use `fido passcode`",
      "profile passcode --aaid": "use `fido passcode --aaid`",
      "register fido-metadata": "use `fido metadata`",
      "dispatch-target": "use `fido target list`, `add` or `remove`",
      "pin update --keep":
        "`pin update` keeps a key that no chain has until its certificate has ended",
      "token --force-new": "use `--fresh`",
      "pin update --from": "use `pin import FILE --signed-by KEY`",
    ]
    for verb in ["register", "login", "deregister"] {
      removed["\(verb) fido"] = "use `fido \(verb)`"
    }
    for command in ["verify", "sign"] {
      removed["token \(command) --secret-base64"] = "use `--secret-file <(base64 -d FILE)`"
    }
    for command in ["pin check", "pin lint", "pin plan", "pin show", "identity check"] {
      removed["\(command) --days"] = "use `--within NUMBERd`"
    }
    for command in ["register", "token jwk"] {
      removed["\(command) --force"] = "use `--replace`"
    }
    for command in ["add", "check", "hash", "show"] {
      removed["pin \(command) --starttls"] = startTLS
    }
    return removed
  }()
}
