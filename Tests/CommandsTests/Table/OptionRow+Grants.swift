extension OptionRow {
  /// Logins without a browser, accounts by mail, and known providers.
  static let grants: [OptionRow] =
    [
      OptionRow(
        path: "login password", long: "password-file", value: ("f", "FILE"), field: "passwordFile",
        result: "f", with: ["a"]),
      OptionRow(
        path: "login assertion", long: "assertion-file", value: ("f", "FILE"),
        field: "assertionFile", result: "f"),
      OptionRow(
        path: "login assertion", long: "subject", value: ("al ice", "NAME"), field: "subject",
        result: "al ice"),
      OptionRow(
        path: "login exchange", long: "token-file", value: ("f", "FILE"), field: "tokenFile",
        result: "f"),
      OptionRow(
        path: "login exchange", long: "token-type", value: ("id_token", "TYPE"),
        field: "tokenType", result: "idToken",
        bad: ("saml2", "expected access_token, id_token or jwt"), with: ["--token-file", "-"]),
      OptionRow(
        path: "login exchange", long: "audience", value: ("api", "NAME"), field: "audiences",
        result: "api", twice: "api | api", with: ["--token-file", "-"]),
      OptionRow(
        path: "profile add", long: "preset", value: ("sequencing", "PROVIDER"), field: "preset",
        result: "sequencing",
        bad: (
          "acme",
          "no preset of that name; there is google, entra, github, gitlab, keycloak, okta, auth0, cognito, "
            + "sequencing"
        ),
        with: ["n"]),
      OptionRow(
        path: "profile add", long: "store", value: ("helper:pass", "PLACE"), field: "place",
        result: "helper:pass",
        bad: ("pass", "expected files, helper:NAME or etcd:https://HOST:PORT/PREFIX"), with: ["n"]),
      OptionRow(
        path: "logout", long: "keep-sealed", field: "keepSealed", result: "true", twice: "true"),
      OptionRow(path: "profile seal", long: "all", field: "all", result: "true", twice: "true"),
    ] + directLogins

  /// What every login without a browser takes.
  private static let directLogins: [OptionRow] = [
    ("login password", ["a"]), ("login assertion", ["--subject", "a"]),
    ("login exchange", ["--token-file", "-"]),
  ].flatMap { path, with in
    [
      OptionRow(
        path: path, long: "scope", value: ("a b", "SCOPE"), field: "scope", result: "a b",
        with: with),
      OptionRow(
        path: path, long: "resource", value: ("https://api.test", "URL"), field: "resources",
        result: "https://api.test",
        bad: ("https://a.test/#b", "expected an https URL without fragment"),
        twice: "https://api.test | https://api.test", with: with),
    ]
  }
}
