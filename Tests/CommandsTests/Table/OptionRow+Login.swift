extension OptionRow {
  static let login: [OptionRow] = [
    OptionRow(
      path: "login", long: "browser", field: "browser", result: "true", negated: "false",
      twice: "true"),
    OptionRow(path: "login", long: "scheme", field: "way", result: "scheme", twice: "scheme"),
    OptionRow(
      path: "login install-handler", long: "remove", field: "remove", result: "true",
      twice: "true"),
    OptionRow(path: "login", long: "manual", field: "way", result: "manual", twice: "manual"),
    OptionRow(path: "login", long: "device", field: "way", result: "device", twice: "device"),
    OptionRow(
      path: "login", long: "callback-port", value: ("1", "PORT"), field: "port", result: "1",
      bad: ("x", "not a whole number")),
    OptionRow(
      path: "login", long: "scope", value: ("a b", "SCOPE"), field: "scope", result: "a b"),
    OptionRow(
      path: "login", long: "prompt", value: ("login", "WORDS"), field: "prompt", result: "login"),
    OptionRow(
      path: "login", long: "login-hint", value: ("alice", "TEXT"), field: "loginHint",
      result: "alice"),
    OptionRow(path: "login", long: "acr", value: ("2", "WORDS"), field: "acr", result: "2"),
    OptionRow(path: "login", long: "idp", value: ("x", "NAME"), field: "idp", result: "x"),
    OptionRow(
      path: "login", long: "resource", value: ("https://api.test", "URL"), field: "resources",
      result: "https://api.test",
      bad: ("https://a.test/#b", "expected an https URL without fragment"),
      twice: "https://api.test | https://api.test"),
    OptionRow(
      path: "login", long: "max-age", value: ("0", "SPAN"), field: "maxAge",
      result: "0.0 seconds", bad: ("-1", "not a time span such as 30, 1.5, 250ms, 5m or 2h")),
    OptionRow(
      path: "login", long: "authorization-details", value: ("@f", "JSON|@FILE"), field: "details",
      result: "file(\"f\")", bad: ("[{}]", "expected an array of objects that have a type")),
  ]
}
