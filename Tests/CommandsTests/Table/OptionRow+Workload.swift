import Testing

/// The options of `fetch --paginate`, of tokens in files, and of assertions of other issuers.
extension OptionRow {
  static let workload: [OptionRow] =
    pages + tokenFiles
    + assertions("login assertion", []) + assertions("login exchange", [])
    + assertions("register", ["--client-id", "a"]) + [
      OptionRow(
        path: "register", long: "assertion-file", value: ("f", "FILE"), field: "assertionFile",
        result: "f", with: ["--client-id", "a"])
    ]

  private static let pages: [OptionRow] = [
    OptionRow(
      path: "fetch", long: "paginate", field: "isWanted", result: "true", twice: "true",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "next-field", value: ("a.b", "FIELD"), field: "nextField",
      result: "a.b", with: ["--paginate", "/x"]),
    OptionRow(
      path: "fetch", long: "next-param", value: ("c", "NAME"), field: "nextParameter",
      result: "c", with: ["--paginate", "--next-field", "a", "/x"]),
    OptionRow(
      path: "fetch", long: "max-pages", value: ("7", "NUMBER"), field: "maximumCount",
      result: "7", bad: ("0", "not a number from 1 to 1000000"), with: ["--paginate", "/x"]),
    OptionRow(
      path: "fetch", long: "slurp", field: "isSlurped", result: "true", twice: "true",
      with: ["--paginate", "/x"]),
  ]

  private static let tokenFiles: [OptionRow] = [
    OptionRow(
      path: "token", long: "output", short: "o", value: ("/dev/null", "FILE"),
      field: "path", result: "/dev/null"),
    OptionRow(
      path: "token", long: "mode", value: ("0640", "MODE"), field: "mode", result: "416",
      bad: (
        "0666", "expected a mode such as 0600, 0640 or 0444: only the owner may write"
      ), with: ["--output", "/dev/null"]),
    OptionRow(
      path: "token", long: "watch", field: "isWatched", result: "true", twice: "true",
      with: ["--output", "/dev/null"]),
    OptionRow(
      path: "token", long: "on-change", value: ("true", "COMMAND"), field: "command",
      result: "true", with: ["--output", "/dev/null", "--watch"]),
    OptionRow(
      path: "exec", long: "token-file-as", value: ("TOKEN_FILE", "VARIABLE"),
      field: "fileVariables", result: "TOKEN_FILE",
      bad: ("1A", "expected the name of a variable"), twice: "TOKEN_FILE | TOKEN_FILE",
      standsFirst: true, with: ["ls"]),
  ]

  private static func assertions(_ path: String, _ with: [String]) -> [OptionRow] {
    [
      OptionRow(
        path: path, long: "assertion-command", value: ("a b", "COMMAND"), field: "command",
        result: "a b", with: with),
      OptionRow(
        path: path, long: "assertion-from", value: ("github", "SERVICE"), field: "service",
        result: "github", bad: ("x", "expected github, gitlab, circleci or buildkite"),
        with: with),
      OptionRow(
        path: path, long: "assertion-audience", value: ("api", "NAME"), field: "audience",
        result: "api", with: ["--assertion-from", "gitlab"] + with),
    ]
  }
}
