extension OptionRow {
  /// What `pin check` may ask about the revocation of certificates.
  static let revocation: [OptionRow] = [
    OptionRow(
      path: "pin check", long: "revocation", field: "revocation", result: "true", twice: "true"),
    OptionRow(
      path: "pin check", long: "require-status", field: "requiresStatus", result: "true",
      twice: "true", with: ["--revocation"]),
  ]
}
