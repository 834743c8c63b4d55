extension OptionRow {
  /// The options of the commands that take keys from servers and files.
  static let pinSources: [OptionRow] =
    files(of: "pin hash") + files(of: "pin add") + [
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
