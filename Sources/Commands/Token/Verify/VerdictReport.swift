import JOSE
import JSON
import Primitives

/// The result of a verification as it is printed.
struct VerdictReport: Sendable {
  let report: TokenReport
  /// The member of the token response that held the token.
  var name: String?
  /// The line of the input.
  var line: Int?
  /// Where the keys came from.
  var keySource: String?

  init(
    _ report: TokenReport, name: String? = nil, line: Int? = nil, keySource: String? = nil
  ) {
    self.report = report
    self.name = name
    self.line = line
    self.keySource = keySource
  }

  var json: JSON {
    .members([
      "verdict": .string(report.verdict.rawValue),
      "failed": .strings(report.failures.map(\.name.rawValue)),
      "checks": .array(report.checks.map(\.json)),
      "alg": report.header?["alg"], "kid": report.header?["kid"], "name": name.map { .string($0) },
      "line": line.map { .int(Int64($0)) },
      "claims": report.signedClaims, "key": keyJSON,
    ])
  }

  private var keyJSON: JSON? {
    guard let key = report.key else { return nil }
    return .members([
      "kid": key.kid.map { .string($0) }, "thumbprint": thumbprint.map { .string($0) },
      "source": keySource.map { .string($0) },
    ])
  }

  /// The thumbprint of a key pair: that of a secret would let it be guessed (RFC 7638 section 7).
  private var thumbprint: String? {
    report.key.flatMap { $0.kty == "oct" ? nil : $0.thumbprint }
  }

  /// The verdict and a line for each check that ran, or for all.
  func text(colours: Bool, withSkipped: Bool) -> String {
    let checks = report.checks.filter { withSkipped || $0.status != .skipped }
    let width = checks.map(\.name.rawValue.utf8.count).max() ?? 0
    let rows = checks.map { check in
      let name =
        check.name.rawValue
        + String(
          repeating: " ", count: width - check.name.rawValue.utf8.count)
      let row = "  \(name)  \(check.status.rawValue)"
      return check.detail.map { "\(row)  \($0)" } ?? row
    }
    let place = name.map { Visible.line($0) + ": " } ?? ""
    let title = place + Tone.bad.coloured(verdict, if: colours && report.verdict != .valid)
    return ([title] + (rows + keyRows).map { Visible.line($0) } + claimRows)
      .map { $0 + "\n" }.joined()
  }

  /// The key that made the signature.
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
  fileprivate var json: JSON {
    .members([
      "check": .string(name.rawValue), "result": .string(status.rawValue),
      "detail": detail.map { .string($0) },
    ])
  }
}
