extension OptionRow {
  /// `--user`, `--implicit` and `--anonymous`, which mean the same everywhere.
  static let slots: [OptionRow] = [
    "login", "token", "token decode", "token verify", "token test", "token lint", "token diff",
    "logout",
  ].flatMap { path in
    ["user", "implicit", "anonymous"].map { slot in
      OptionRow(
        path: path, long: slot, field: "slot", result: slot, twice: slot,
        isDefaultValue: slot == "user" && ["login", "token", "logout"].contains(path),
        with: path == "token diff" ? ["a"] : [])
    }
  }

  static let token: [OptionRow] = [
    OptionRow(
      path: "token", long: "min-ttl", value: ("10m", "SPAN"), field: "minimumLifetime",
      result: "600.0 seconds",
      bad: ("-1", "not a time span such as 30, 1.5, 250ms, 5m or 2h")),
    OptionRow(path: "token", long: "scope", value: ("a b", "SCOPE"), field: "scope", result: "a b"),
    OptionRow(
      path: "token", long: "audience", value: ("x", "NAME"), field: "audience", result: "x"),
    OptionRow(path: "token", long: "header", field: "form", result: "header", twice: "header"),
    OptionRow(path: "token", long: "curl", field: "form", result: "curl", twice: "curl"),
    OptionRow(
      path: "token", long: "env", value: ("fish", "SHELL"), field: "form",
      result: "environment(Commands.TokenForm.Shell.fish)",
      bad: ("csh", "expected sh, bash, zsh, fish, powershell, dotenv or github")),
    OptionRow(
      path: "token", long: "proof-for", value: ("GET https://api.test/x", "'METHOD URL'"),
      field: "proof", result: "ProofTarget(method: GET, url: https://api.test/x)",
      bad: (
        "https://api.test/x", "expected a method and an https URL, such as 'GET https://HOST/PATH'"
      ), with: ["--header"]),
    OptionRow(path: "token", long: "fresh", field: "fresh", result: "true", twice: "true"),
    OptionRow(path: "token", long: "id-token", field: "idToken", result: "true", twice: "true"),
    OptionRow(
      path: "token", long: "interactive", field: "interactive", result: "true", twice: "true"),
    OptionRow(
      path: "token decode", long: "id-token", field: "idToken", result: "true", twice: "true"),
  ]
}
