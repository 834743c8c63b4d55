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

  init(_ report: TokenReport, name: String? = nil, line: Int? = nil) {
    self.report = report
    self.name = name
    self.line = line
  }

  var json: JSON {
    .members([
      "verdict": .string(report.verdict.rawValue),
      "failed": .strings(report.failures.map(\.name.rawValue)),
      "checks": .array(report.checks.map(\.json)),
      "alg": report.header?["alg"], "kid": report.header?["kid"], "name": name.map { .string($0) },
      "line": line.map { .int(Int64($0)) },
    ])
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
    return ([title] + rows.map { Visible.line($0) }).map { $0 + "\n" }.joined()
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
  /// The check and why it failed.
  var summary: String { "\(name.rawValue): \(detail ?? status.rawValue)" }

  fileprivate var json: JSON {
    .members([
      "check": .string(name.rawValue), "result": .string(status.rawValue),
      "detail": detail.map { .string($0) },
    ])
  }
}
