extension OptionRow {
  /// Logins on the provider's pages, and what they yield.
  static let formLogin: [OptionRow] = [
    OptionRow(
      path: "login form", long: "password-stdin", field: "passwordStdin", result: "true",
      twice: "true"),
    OptionRow(
      path: "login form", long: "password-file", value: ("f", "FILE"), field: "passwordFile",
      result: "f"),
    OptionRow(
      path: "token", long: "cookie", field: "form",
      result: "cookies(Commands.CookieForm.value(nil))",
      twice: "cookies(Commands.CookieForm.value(nil))"),
    OptionRow(
      path: "token", long: "cookie-for", value: ("https://a.test/", "URL"), field: "form",
      result: "cookies(Commands.CookieForm.value(Optional(https://a.test/)))",
      bad: ("a.test", "it has no scheme; write https://HOST/PATH")),
    OptionRow(
      path: "token", long: "cookie-jar", field: "form",
      result: "cookies(Commands.CookieForm.jar)", twice: "cookies(Commands.CookieForm.jar)"),
  ]
}
