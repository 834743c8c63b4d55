extension OptionRow {
  /// The options of the commands that check, plan and rotate pins.
  static let pinLife: [OptionRow] =
    ["pin check", "pin plan", "pin lint"].map { path in
      OptionRow(
        path: path, long: "within", value: ("14d", "SPAN"), field: "within",
        result: "1209600s",
        bad: ("soon", "not a time span such as 12h, 30d or 2w"))
    } + [
      OptionRow(
        path: "pin add", long: "proxy", field: "proxy", result: "true", twice: "true",
        with: ["s"]),
      OptionRow(
        path: "pin remove", long: "proxy", field: "proxy", result: "true", twice: "true",
        with: ["h"]),
      OptionRow(
        path: "pin check", long: "parallel", value: ("8", "NUMBER"), field: "parallel",
        result: "8", bad: ("0", "not a number from 1 to 500")),
      OptionRow(
        path: "pin check", long: "junit", value: ("a.xml", "FILE"), field: "junit",
        result: "a.xml"),
      OptionRow(
        path: "pin check", long: "prometheus", value: ("p.prom", "FILE"), field: "prometheus",
        result: "p.prom"),
      OptionRow(
        path: "pin check", long: "all-addresses", field: "allAddresses", result: "true",
        twice: "true"),
      OptionRow(
        path: "pin check", long: "problems", field: "onlyProblems", result: "true", twice: "true"),
      OptionRow(
        path: "pin check", long: "against", value: ("a.plist", "FILE"), field: "against",
        result: "a.plist"),
      OptionRow(
        path: "pin check", long: "format", value: ("apple", "FORMAT"), field: "format",
        result: "apple",
        bad: (
          "okhttp", "expected json, lines, curl, android, apple or trustkit"
        ), with: ["--against", "f"]),
      OptionRow(
        path: "pin check", long: "host", value: ("a.test", "HOST"), field: "documentHost",
        result: "a.test", with: ["--against", "f"]),
      OptionRow(path: "doctor", long: "online", field: "isOnline", result: "true", twice: "true"),
      OptionRow(path: "doctor", long: "fix", field: "fixes", result: "true", twice: "true"),
      OptionRow(
        path: "doctor", long: "problems", field: "onlyProblems", result: "true", twice: "true"),
      OptionRow(path: "doctor", long: "strict", field: "isStrict", result: "true", twice: "true"),
      OptionRow(
        path: "pin lint", long: "strict", field: "strict", result: "true", twice: "true"),
      OptionRow(
        path: "pin backup", long: "type", value: ("rsa3072", "TYPE"), field: "type",
        result: "rsa3072",
        bad: ("dsa", "expected p256, p384, p521, rsa2048, rsa3072, rsa4096 or ed25519"),
        with: ["h"]),
      OptionRow(
        path: "pin backup", long: "directory", value: ("d", "DIR"), field: "directory",
        result: "d", with: ["h"]),
      OptionRow(
        path: "pin update", long: "role", value: ("root", "ROLE"), field: "roles",
        result: "root", bad: ("ca", "expected leaf, intermediate, root or backup"),
        twice: "root | root"),
      OptionRow(
        path: "pin backup", long: "another", field: "another", result: "true", twice: "true",
        with: ["h"]),
      OptionRow(
        path: "pin update", long: "yes", short: "y", field: "yes", result: "true",
        twice: "true"),
    ]
}
