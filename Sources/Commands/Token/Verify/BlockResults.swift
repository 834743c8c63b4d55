import JOSE
import JSON
import Primitives

/// Verifies the tokens of some lines, and collects what is printed of them.
struct BlockResults {
  private(set) var output: [UInt8] = []
  private(set) var counts = BulkVerification.Counts()
  private let verifier: TokenVerifier
  private let form: BulkForm
  /// Recognises valid tokens, most of which have the same few headers.
  private let bulk: BulkTokenVerifier
  private var texts: [BulkTokenVerifier.Match: ValidText] = [:]

  init(_ verifier: TokenVerifier, _ form: BulkForm) {
    self.verifier = verifier
    self.form = form
    bulk = BulkTokenVerifier(verifier)
  }

  mutating func add(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
    let token = line.last == 0x0D ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
    if let match = bulk.match(token), let text = texts[match] {
      counts.total += 1
      text.write(line: number, to: &output)
      return
    }
    for token in TokenText.tokens(in: Array(line)) {
      let report = VerdictReport(
        verifier.report(on: token.text), name: token.name, line: number)
      add(report)
      if report.report.verdict == .valid { learn(token, report) }
    }
  }

  mutating func add(_ report: VerdictReport) {
    counts.add(report.report)
    output += Array(form.lines(report.json, text: report.summary).utf8)
  }

  private mutating func learn(_ token: FoundToken, _ report: VerdictReport) {
    guard token.name == nil, bulk.learn(token.text) != nil else { return }
    var text = token.text
    guard let match = text.withUTF8({ bulk.match($0) }), texts[match] == nil else { return }
    switch form {
    case .text: texts[match] = ValidText(before: "", after: ": valid\n")
    case .json: texts[match] = ValidText(json: report.json)
    // A field may be of the line, or missing: each token is looked at.
    case .field: break
    }
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
    output += String(line).utf8
    output += after
  }
}

/// Whether the first name stands before the second.
private func precedes(_ one: String, _ other: String) -> Bool {
  one.utf8.lexicographicallyPrecedes(other.utf8)
}
