extension OptionRow {
  /// The options of the commands that take keys from servers and files.
  static let pinSources: [OptionRow] =
    files(of: "pin hash") + files(of: "pin add") + files(of: "pin show") + [
      OptionRow(
        path: "pin show", long: "within", value: ("14d", "SPAN"), field: "within",
        result: "1209600s", bad: ("soon", "not a time span such as 12h, 30d or 2w"), with: ["h"]),
      OptionRow(
        path: "pin diff", long: "exit-code", field: "exitCode", result: "true", twice: "true",
        with: ["a"]),
      OptionRow(
        path: "pin diff", long: "host", value: ("a.test", "HOST"), field: "host",
        result: "a.test", with: ["a"]),
      OptionRow(
        path: "pin show", long: "offline", field: "offline", result: "true", twice: "true",
        with: ["h"]),
      OptionRow(
        path: "pin hash", long: "role", value: ("root", "ROLE"), field: "roles", result: "root",
        bad: ("ca", "expected leaf, intermediate, root or backup"), twice: "root | root",
        with: ["h"]),
      OptionRow(
        path: "pin hash", long: "ca-file", value: ("ca.pem", "FILE"), field: "caFile",
        result: "ca.pem", with: ["h"]),
    ]

  private static func files(of path: String) -> [OptionRow] {
    [
      OptionRow(
        path: path, long: "password-file", value: ("p", "FILE"), field: "passwordFile",
        result: "p", with: ["f"]),
      OptionRow(
        path: path, long: "legacy", field: "legacy", result: "true", twice: "true", with: ["f"]),
    ]
  }
}
