import JOSE
import JSON
import Primitives

struct VerdictReport: Sendable {
  let report: TokenReport
  /// The member of the token response that held the token.
  var name: String?
  var line: Int?
  var keySource: String?

  /// What is printed of a test, and first of a verification.
  static let verdictRows = Rows<VerdictReport>(
    .member("verdict", "`valid`, `expired`, `not-yet-valid` or `invalid`") {
      $0.report.verdict.rawValue
    },
    .member("failed", "the names of the failed checks") { $0.report.failures.map(\.name.rawValue) },
    .list("checks", "all checks", TokenCheckResult.rows) { $0.report.checks })

  static let rows = Rows<VerdictReport>(
    verdictRows.members + [
      .member("alg", "the algorithm") { $0.report.header?["alg"] }.orAbsent,
      .member("kid", "the key ID") { $0.report.header?["kid"] }.orAbsent,
      .member("name", "the member of a token response") { $0.name }.orAbsent,
      .member("line", "the line, of many tokens") { $0.line.map(Int64.init) }.orAbsent,
      .member(
        "claims", "if the signature is valid, the claims: of an SD-JWT with the disclosed ones"
      ) { $0.report.signedClaims }.orAbsent,
      .object("key", "if the signature is valid, the key that made it", keyRows) {
        $0.report.key == nil ? nil : $0
      }.orAbsent,
    ])

  private static let keyRows = Rows<VerdictReport>(
    .member("kid", "its ID") { $0.report.key?.kid }.orAbsent,
    .member("thumbprint", "RFC 7638, not of a secret") { $0.thumbprint }.orAbsent,
    .member("source", "the URL or file that it came from") { $0.keySource }.orAbsent)

  /// The thumbprint of a key pair: that of a secret would let it be guessed (RFC 7638 section 7).
  private var thumbprint: String? {
    report.key.flatMap { $0.kty == "oct" ? nil : $0.thumbprint }
  }

  /// The verdict and a line for each check that ran, or for all.
  func text(colours: Bool, withSkipped: Bool) -> String {
    let checks = report.checks.filter { withSkipped || $0.status != .skipped }
    let width = checks.map(\.name.rawValue.utf8.count).max() ?? 0
    let rows = checks.map { check in
      let row = "  \(check.name.rawValue.padding(to: width))  \(check.status.rawValue)"
      return check.detail.map { "\(row)  \($0)" } ?? row
    }
    let place = name.map { Visible.line($0) + ": " } ?? ""
    let title = place + Tone.bad.coloured(verdict, if: colours && report.verdict != .valid)
    return ([title] + (rows + keyRows).map { Visible.line($0) } + claimRows)
      .map { $0 + "\n" }.joined()
  }

  private var keyRows: [String] {
    guard let key = report.key else { return [] }
    let facts = [
      key.kid.map { "kid \($0)" }, thumbprint.map { "thumbprint \($0)" },
      keySource.map { "from \($0)" },
    ]
    return ["verified with", "  " + facts.compactMap { $0 }.joined(separator: ", ")]
  }

  private var claimRows: [String] {
    report.signedClaims.map { ["claims", $0.serialized(.pretty)] } ?? []
  }

  /// One line, for one of many tokens.
  var summary: String {
    let place = [line.map { "\($0)" }, name].compactMap { $0 }.joined(separator: " ")
    let causes = report.failures.map(\.summary).joined(separator: "; ")
    let text = causes.isEmpty ? "\(place): \(verdict)" : "\(place): \(verdict): \(causes)"
    return Visible.line(text) + "\n"
  }

  private var verdict: String { report.verdict.rawValue }
}

extension TokenCheckResult {
  fileprivate static let rows = Rows<TokenCheckResult>(
    .member("check", "its name") { $0.name.rawValue },
    .member("result", "`passed`, `failed` or `skipped`") { $0.status.rawValue },
    .member("detail", "why it did not pass") { $0.detail }.orAbsent)
}
