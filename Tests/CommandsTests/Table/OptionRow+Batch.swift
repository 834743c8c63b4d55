import Testing

/// The options of `fetch --batch`.
extension OptionRow {
  static let batch: [OptionRow] = [
    OptionRow(
      path: "fetch", long: "batch", value: ("-", "FILE|-"), field: "file", result: "-",
      without: ["/x"]),
    OptionRow(
      path: "fetch", long: "parallel", value: ("50", "NUMBER"), field: "parallel", result: "50",
      bad: ("0", "not a number from 1 to 1000"), with: ["--batch", "f"]),
    OptionRow(
      path: "fetch", long: "rate", value: ("10/s", "NUMBER/UNIT"), field: "rate",
      result: "RequestRate(interval: 0.1 seconds)",
      bad: ("10", "expected a rate such as 10/s or 100/m"), with: ["--batch", "f"]),
    OptionRow(
      path: "fetch", long: "fail-early", field: "failsEarly", result: "true", twice: "true",
      with: ["--batch", "f"]),
  ]
}
