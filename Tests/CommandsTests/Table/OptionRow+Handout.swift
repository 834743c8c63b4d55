extension OptionRow {
  static let handout: [OptionRow] =
    [
      OptionRow(
        path: "exec", long: "min-ttl", value: ("10m", "SPAN"), field: "minimumLifetime",
        result: "600.0 seconds",
        bad: ("-1", "not a time span such as 30, 1.5, 250ms, 5m or 2h"), standsFirst: true,
        with: command),
      OptionRow(
        path: "exec", long: "fresh", field: "fresh", result: "true", twice: "true",
        standsFirst: true, with: command),
      OptionRow(
        path: "exec", long: "scope", value: ("a b", "SCOPE"), field: "scope", result: "a b",
        standsFirst: true, with: command),
      OptionRow(
        path: "exec", long: "audience", value: ("x", "NAME"), field: "audience", result: "x",
        standsFirst: true, with: command),
      OptionRow(
        path: "exec", long: "interactive", field: "interactive", result: "true", twice: "true",
        standsFirst: true, with: command),
      OptionRow(
        path: "exec", long: "token-as", value: ("GH_TOKEN", "VARIABLE"), field: "tokenVariables",
        result: "GH_TOKEN", bad: ("1A", "expected the name of a variable"),
        twice: "GH_TOKEN | GH_TOKEN", standsFirst: true, with: command),
      OptionRow(
        path: "exec", long: "ca-as", value: ("CA_FILE", "VARIABLE"), field: "caVariables",
        result: "CA_FILE", bad: ("A-B", "expected the name of a variable"),
        twice: "CA_FILE | CA_FILE", standsFirst: true, with: command),
    ] + slots(of: "exec", command) + helpers + git + docker + kubectl + aws + mcp + server + proxy

  /// `--user`, `--implicit` and `--anonymous` of a command.
  ///
  /// `isDefault` is whether the user's slot is the value without them.
  static func slots(
    of path: String, _ words: [String] = [], isDefault: Bool = true
  ) -> [OptionRow] {
    ["user", "implicit", "anonymous"].map { slot in
      OptionRow(
        path: path, long: slot, field: "slot", result: slot, twice: slot,
        isDefaultValue: isDefault && slot == "user", standsFirst: !words.isEmpty, with: words)
    }
  }

  private static let proxy: [OptionRow] =
    ["user", "implicit", "anonymous"].map { slot in
      OptionRow(path: "proxy", long: slot, field: "access", result: slot, twice: slot)
    } + [
      OptionRow(
        path: "proxy", long: "port", value: ("8080", "PORT"), field: "port", result: "8080",
        bad: ("65536", "expected a number up to 65535")),
      OptionRow(path: "proxy", long: "socket", value: ("s", "FILE"), field: "socket", result: "s"),
      OptionRow(
        path: "proxy", long: "allow-origin", value: ("https://a.test", "ORIGIN"), field: "origins",
        result: "https://a.test",
        bad: ("a.test", "expected an origin such as https://app.example.com"),
        twice: "https://a.test | https://a.test"),
      OptionRow(
        path: "proxy", long: "interactive", field: "interactive", result: "true", twice: "true"),
    ]

  private static let command = ["ls"]

  /// The options that all credential helpers have.
  private static let helpers: [OptionRow] = [
    ("credential git", ["get"]), ("credential docker", ["get"]), ("credential kubectl", []),
    ("credential aws", []), ("credential mcp", []),
  ].flatMap { path, words in
    [
      OptionRow(
        path: path, long: "min-ttl", value: ("10m", "SPAN"), field: "minimumLifetime",
        result: "600.0 seconds",
        bad: ("-1", "not a time span such as 30, 1.5, 250ms, 5m or 2h"), with: words),
      OptionRow(
        path: path, long: "scope", value: ("a b", "SCOPE"), field: "scope", result: "a b",
        with: words),
      OptionRow(
        path: path, long: "audience", value: ("x", "NAME"), field: "audience", result: "x",
        with: words),
      OptionRow(
        path: path, long: "interactive", field: "interactive", result: "true", twice: "true",
        with: words),
    ]
      + ["user", "implicit", "anonymous"].map { slot in
        OptionRow(
          path: path, long: slot, field: "slot", result: slot, twice: slot,
          isDefaultValue: slot == "user", with: words)
      }
  }

  private static let server: [OptionRow] =
    slots(of: "token introspect", isDefault: false) + slots(of: "token refresh")
    + slots(of: "token revoke", isDefault: false) + [
      OptionRow(
        path: "token introspect", long: "refresh-token", field: "refreshToken", result: "true",
        twice: "true"),
      OptionRow(
        path: "token introspect", long: "signed", field: "signed", result: "true", twice: "true"),
      OptionRow(
        path: "token revoke", long: "refresh-token", field: "refreshToken", result: "true",
        twice: "true"),
    ]

  private static let mcp: [OptionRow] = [
    OptionRow(
      path: "credential mcp", long: "id-token", field: "idToken", result: "true", twice: "true")
  ]

  private static let git: [OptionRow] = [
    OptionRow(
      path: "credential git", long: "username", value: ("x-access-token", "NAME"),
      field: "username", result: "x-access-token", with: ["get"])
  ]

  private static let docker: [OptionRow] = [
    OptionRow(
      path: "credential docker", long: "username", value: ("oauth2accesstoken", "NAME"),
      field: "username", result: "oauth2accesstoken", with: ["get"])
  ]

  private static let kubectl: [OptionRow] = [
    OptionRow(
      path: "credential kubectl", long: "id-token", field: "idToken", result: "true",
      twice: "true"),
    OptionRow(
      path: "credential kubectl", long: "identity", value: ("a", "NAME"), field: "identity",
      result: "a", bad: ("a/b", "not a name of an identity")),
    OptionRow(
      path: "credential kubectl", long: "no-token", field: "noToken", result: "true",
      twice: "true", with: ["--identity", "a"]),
  ]

  private static let aws: [OptionRow] = [
    OptionRow(
      path: "credential aws", long: "role-arn", value: ("arn:x", "ARN"), field: "role",
      result: "arn:x"),
    OptionRow(
      path: "credential aws", long: "id-token", field: "idToken", result: "true", twice: "true"),
    OptionRow(
      path: "credential aws", long: "session-name", value: ("s", "NAME"), field: "sessionName",
      result: "s"),
    OptionRow(
      path: "credential aws", long: "duration", value: ("15m", "SPAN"), field: "duration",
      result: "900s"),
    OptionRow(
      path: "credential aws", long: "sts-url", value: ("https://sts.test", "URL"),
      field: "service", result: "https://sts.test"),
  ]
}
