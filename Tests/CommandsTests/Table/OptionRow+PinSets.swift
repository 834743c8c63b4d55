extension OptionRow {
  /// The options of the commands that change and exchange sets of pins.
  static let pinSets: [OptionRow] =
    policies(of: "pin add") + policies(of: "pin set") + formats(of: "pin import", with: ["f"])
    + formats(of: "pin export", with: []) + exchange

  private static func policies(of path: String) -> [OptionRow] {
    [
      OptionRow(
        path: path, long: "policy", value: ("report", "POLICY"), field: "policy",
        result: "report", with: ["h"]),
      OptionRow(
        path: path, long: "comment", value: ("a b", "TEXT"), field: "comment", result: "a b",
        with: ["h"]),
      OptionRow(
        path: path, long: "no-backup", field: "noBackup", result: "true", twice: "true",
        with: ["h"]),
    ]
  }

  private static func formats(of path: String, with words: [String]) -> [OptionRow] {
    [
      OptionRow(
        path: path, long: "format", value: ("curl", "FORMAT"), field: "format", result: "curl",
        with: words),
      OptionRow(
        path: path, long: "strict", field: "strict", result: "true", twice: "true", with: words),
    ]
  }

  private static let exchange: [OptionRow] =
    [
      OptionRow(
        path: "pin export", long: "sign", value: ("k.pem", "FILE"), field: "sign", result: "k.pem"),
      OptionRow(
        path: "pin export", long: "valid", value: ("1h", "SPAN"), field: "valid",
        result: "3600s",
        bad: ("soon", "not a time span such as 12h, 30d or 2w"), with: ["--sign", "k"]),
      OptionRow(
        path: "pin import", long: "signed-by", value: ("k.pem", "KEY"), field: "signedBy",
        result: "k.pem", with: ["a.jws"]),
      OptionRow(
        path: "pin import", long: "dry-run", field: "dryRun", result: "true", twice: "true",
        with: ["f"]),
      OptionRow(
        path: "pin import", long: "allow-weaker", field: "allowWeaker", result: "true",
        twice: "true", with: ["f"]),
      OptionRow(
        path: "profile import", long: "new", value: ("n", "NAME"), field: "new", result: "n",
        bad: ("a/b", "not a name of a profile"), with: ["f"]),
      OptionRow(
        path: "profile export", long: "share", field: "share", result: "true", twice: "true"),
      OptionRow(
        path: "profile export", long: "with-secrets", field: "withSecrets", result: "true",
        twice: "true"),
      OptionRow(
        path: "profile export", long: "tokens", field: "tokens", result: "true", twice: "true",
        with: ["--with-secrets"]),
      OptionRow(
        path: "profile export", long: "output", short: "o", value: ("f", "FILE"), field: "output",
        result: "f", with: ["--share"]),
      OptionRow(
        path: "profile import", long: "dry-run", field: "dryRun", result: "true", twice: "true",
        with: ["f"]),
    ]
    + [("profile import", "f"), ("profile add", "n")].flatMap { path, operand in
      [
        OptionRow(
          path: path, long: "allow-weaker", field: "allowsWeaker", result: "true", twice: "true",
          with: [operand]),
        OptionRow(
          path: path, long: "allow", value: ("proxy", "SETTING"), field: "lists", result: "proxy",
          twice: "proxy | proxy", with: [operand]),
      ]
    } + [
      OptionRow(
        path: "pin set", long: "expires", value: ("2030-01-01", "DATE"), field: "expires",
        result: "at(2030-01-02T00:00:00Z)", bad: ("soon", "not a date such as 2027-01-31"),
        with: ["h"]),
      OptionRow(
        path: "pin import", long: "host", value: ("a.test", "HOST"), field: "host",
        result: "a.test", with: ["f"]),
      OptionRow(
        path: "pin import", long: "replace", field: "replace", result: "true", twice: "true",
        with: ["f"]),
      OptionRow(
        path: "pin import", long: "yes", short: "y", field: "yes", result: "true", twice: "true",
        with: ["f"]),
    ]
}
