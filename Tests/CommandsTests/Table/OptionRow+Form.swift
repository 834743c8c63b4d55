extension OptionRow {
  /// Logins on the provider's pages, and what they yield.
  static let formLogin: [OptionRow] = [
    OptionRow(
      path: "login form", long: "password-file", value: ("f", "FILE"), field: "passwordFile",
      result: "f"),
    OptionRow(
      path: "token", long: "cookie", field: "form",
      result: "cookies(Commands.CookieForm.value)", twice: "cookies(Commands.CookieForm.value)"),
    OptionRow(
      path: "token", long: "cookie-jar", field: "form",
      result: "cookies(Commands.CookieForm.jar)", twice: "cookies(Commands.CookieForm.jar)"),
  ]
}
