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
  let unchecked: [PinTargets.Unchecked]

  var text: String {
    let unreachable = findings.count { $0.status == .unreachable }
    let failures = findings.count { $0.status != .ok } - unreachable
    let skipped = unchecked.count { $0.status == .notChecked }
    let counts = [
      ("tests", String(findings.count + unchecked.count)), ("failures", String(failures)),
      ("errors", String(unreachable + unchecked.count - skipped)), ("skipped", String(skipped)),
      ("time", duration.seconds(digits: 3)),
    ]
    let cases = findings.map(testCase) + unchecked.map(testCase)
    let stamp = String(time.description.dropLast())
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites\(attributes([("name", "sdkctl pin check")] + counts))>
        <testsuite\(attributes([("name", name), ("timestamp", stamp)] + counts))>
      \(cases.joined(separator: "\n"))
        </testsuite>
      </testsuites>

      """
  }

  private func testCase(_ finding: PinFinding) -> String {
    let place = finding.endpoint.place
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

  private func testCase(_ target: PinTargets.Unchecked) -> String {
    let element = target.status == .notChecked ? "skipped" : "error"
    return """
          <testcase\(attributes([("classname", "pins.\(name)"), ("name", target.name)]))>
            <\(element)\(attributes([("message", target.cause)]))/>
          </testcase>
      """
  }

  private func attributes(_ pairs: [(String, String)]) -> String {
    pairs.map { " \($0)=\"\(escaped($1))\"" }.joined()
  }

  /// XML 1.0 cannot carry control characters: they are shown as a person would see them.
  private func escaped(_ text: String) -> String {
    VisibleText.of(text, keeping: ["\n"]).escapedForMarkup()
  }
}
