import POSIX
import Pinning
import Primitives
import SDKCore

/// The findings of a check as JUnit XML, the form that CI servers read.
///
/// Each endpoint is a test case. An endpoint that could not be reached is an error, any other
/// finding but `OK` is a failure.
struct JUnitSuite {
  let name: String
  let time: Timestamp
  let duration: Duration
  let findings: [PinFinding]

  /// Opens the file of a report before the check; `nil` for standard output.
  static func file(_ path: String) throws -> StagedFile? {
    guard path != "-" else { return nil }
    do {
      return try StagedFile(path, .named(newMode: 0o644))
    } catch {
      throw Failure.unwritable(error)
    }
  }

  /// Writes the report into the file, or to standard output.
  func write(to file: StagedFile?, in context: Context) throws {
    guard let file else { return context.write(document: text) }
    do {
      try file.write(Array(text.utf8))
      try file.commit()
    } catch {
      throw Failure.unwritable(error)
    }
  }

  var text: String {
    let errors = findings.count { $0.status == .unreachable }
    let failures = findings.count { $0.status != .ok } - errors
    let counts = [
      ("tests", String(findings.count)), ("failures", String(failures)),
      ("errors", String(errors)), ("skipped", "0"), ("time", seconds),
    ]
    let stamp = String(time.description.dropLast())
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites\(attributes([("name", "sdkctl pin check")] + counts))>
        <testsuite\(attributes([("name", name), ("timestamp", stamp)] + counts))>
      \(findings.map(testCase).joined(separator: "\n"))
        </testsuite>
      </testsuites>

      """
  }

  private func testCase(_ finding: PinFinding) -> String {
    let place = "\(finding.endpoint.name)"
    let open = "    <testcase\(attributes([("classname", "pins.\(name)"), ("name", place)]))"
    guard finding.status != .ok else { return open + "/>" }
    let element = finding.status == .unreachable ? "error" : "failure"
    let cause = finding.cause ?? ""
    let details = ([cause] + finding.details).joined(separator: "\n")
    return """
      \(open)>
            <\(element)\(attributes([("type", finding.status.rawValue), ("message", cause)]))>\
      \(escaped(details))</\(element)>
          </testcase>
      """
  }

  private var seconds: String {
    let (seconds, attoseconds) = duration.components
    let thousandths = String(attoseconds / 1_000_000_000_000_000)
    let zeros = String(repeating: "0", count: 3 - thousandths.utf8.count)
    return "\(seconds).\(zeros)\(thousandths)"
  }

  private func attributes(_ pairs: [(String, String)]) -> String {
    pairs.map { " \($0)=\"\(escaped($1))\"" }.joined()
  }

  /// XML 1.0 cannot carry control characters: they are shown as a person would see them.
  private func escaped(_ text: String) -> String {
    VisibleText.of(text, keeping: ["\n"]).escapedForMarkup()
  }
}
