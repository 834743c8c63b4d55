extension OptionRow {
  /// Logins without a browser, accounts by mail, and known providers.
  static let grants: [OptionRow] = [
    OptionRow(
      path: "login", long: "username", value: ("al ice", "NAME"), field: "username",
      result: "al ice"),
    OptionRow(
      path: "login", long: "password-stdin", field: "passwordStdin", result: "true", twice: "true",
      with: ["--username", "a"]),
    OptionRow(
      path: "login", long: "password-file", value: ("f", "FILE"), field: "passwordFile",
      result: "f", with: ["--username", "a"]),
    OptionRow(
      path: "login", long: "assertion-stdin", field: "assertionStdin", result: "true",
      twice: "true"),
    OptionRow(
      path: "login", long: "assertion-file", value: ("f", "FILE"), field: "assertionFile",
      result: "f"),
    OptionRow(
      path: "login", long: "assert-subject", value: ("alice", "NAME"), field: "assertSubject",
      result: "alice"),
    OptionRow(
      path: "login", long: "exchange-stdin", field: "exchangeStdin", result: "true", twice: "true"),
    OptionRow(
      path: "login", long: "exchange-file", value: ("f", "FILE"), field: "exchangeFile",
      result: "f"),
    OptionRow(
      path: "login", long: "subject-token-type", value: ("id_token", "TYPE"),
      field: "subjectTokenType", result: "idToken",
      bad: ("saml2", "expected access_token, id_token or jwt"), with: ["--exchange-stdin"]),
    OptionRow(
      path: "login", long: "audience", value: ("api", "NAME"), field: "audiences", result: "api",
      twice: "api | api", with: ["--exchange-stdin"]),
    OptionRow(
      path: "register", long: "account", field: "purpose", result: "account", twice: "account"),
    OptionRow(
      path: "register", long: "reset-password", field: "purpose", result: "passwordReset",
      twice: "passwordReset"),
    OptionRow(
      path: "register", long: "email", value: ("a@b.test", "ADDRESS"), field: "email",
      result: #"EmailAddress(text: "a@b.test")"#,
      bad: ("alice", "expected a mail address such as alice@example.com"), with: ["--account"]),
    OptionRow(
      path: "profile add", long: "preset", value: ("sequencing", "PROVIDER"), field: "preset",
      result: "sequencing", bad: ("acme", "no preset of that name; there is sequencing"),
      with: ["n"]),
  ]
}
