import JOSE
import JSON
import Primitives
import Synchronization

/// Verifies the tokens of some lines, and collects what is printed of them.
struct BlockResults {
  private(set) var output: [UInt8] = []
  private(set) var counts = BulkVerification.Counts()
  private let lines: LineVerifier

  init(_ lines: LineVerifier) { self.lines = lines }

  mutating func add(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
    let token = line.last == 0x0D ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
    if lines.writeValid(token, number, to: &output) {
      counts.total += 1
      return
    }
    for token in TokenText.tokens(in: Array(line)) {
      add(lines.report(on: token, line: number))
    }
  }

  mutating func add(_ report: VerdictReport) {
    counts.add(report.report)
    output += Array(lines.form.lines(report.json, text: report.summary).utf8)
  }
}

/// Verifies one line after the other, with what it learned from those before.
// @unchecked: only one thread at a time takes it from the pool.
final class LineVerifier: @unchecked Sendable {
  let form: BulkForm
  private let verifier: TokenVerifier
  /// Recognises valid tokens, most of which have the same few headers.
  private let bulk: BulkTokenVerifier
  /// What is printed of them, by the number of the match.
  private var texts = [ValidText?](repeating: nil, count: BulkTokenVerifier.Match.count)

  init(_ verifier: TokenVerifier, _ form: BulkForm) {
    self.verifier = verifier
    self.form = form
    bulk = BulkTokenVerifier(verifier)
  }

  /// Writes the result of a token that is certainly valid; `false` for any other.
  func writeValid(
    _ token: UnsafeBufferPointer<UInt8>, _ line: Int, to output: inout [UInt8]
  ) -> Bool {
    guard let match = bulk.match(token), let text = texts[match.number] else { return false }
    text.write(line: line, to: &output)
    return true
  }

  func report(on token: FoundToken, line: Int) -> VerdictReport {
    let report = VerdictReport(verifier.report(on: token.text), name: token.name, line: line)
    if report.report.verdict == .valid { learn(token, report) }
    return report
  }

  private func learn(_ token: FoundToken, _ report: VerdictReport) {
    guard token.name == nil, bulk.learn(token.text) != nil else { return }
    var text = token.text
    guard let match = text.withUTF8({ bulk.match($0) }), texts[match.number] == nil else { return }
    switch form {
    case .text: texts[match.number] = ValidText(before: "", after: ": valid\n")
    case .json: texts[match.number] = ValidText(json: report.json)
    // A field may be of the line, or missing: each token is looked at.
    case .field: break
    }
  }
}

/// The verifiers of the threads, which learn once and not for each block.
final class LineVerifiers: Sendable {
  private let verifier: TokenVerifier
  private let form: BulkForm
  private let free = Mutex<[LineVerifier]>([])

  init(_ verifier: TokenVerifier, _ form: BulkForm) {
    self.verifier = verifier
    self.form = form
  }

  func withVerifier<Value>(_ body: (LineVerifier) -> Value) -> Value {
    let taken = free.withLock { $0.popLast() } ?? LineVerifier(verifier, form)
    defer { free.withLock { $0.append(taken) } }
    return body(taken)
  }
}

/// What is printed of a valid token, around the number of its line.
private struct ValidText {
  private let before: [UInt8]
  private let after: [UInt8]

  init(before: String, after: String) {
    self.before = Array(before.utf8)
    self.after = Array(after.utf8)
  }

  /// Takes the text of a report, whose members are sorted by name.
  init(json: JSON) {
    let members = json.object ?? [:]
    let first = JSON.object(members.filter { precedes($0.key, "line") }).serialized()
    let last = JSON.object(members.filter { precedes("line", $0.key) }).serialized()
    self.init(before: "\(first.dropLast()),\"line\":", after: ",\(last.dropFirst())\n")
  }

  func write(line: Int, to output: inout [UInt8]) {
    output += before
    output.append(decimal: UInt64(line))
    output += after
  }
}

/// Whether the first name stands before the second.
private func precedes(_ one: String, _ other: String) -> Bool {
  one.utf8.lexicographicallyPrecedes(other.utf8)
}
