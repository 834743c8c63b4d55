/// One command of the program: everything that help and parsing know about it.
struct Verb: Sendable {
  struct Option: Sendable {
    let name: String
    /// What the value is called; nothing for a switch.
    var value: String?
    let summary: String
    /// Whether help keeps silent about it.
    var isInternal = false
  }

  let name: String
  var operands = ""
  let summary: String
  var options: [Option] = []
  /// How many operands it takes.
  var count: ClosedRange<Int> = 0...0
  let run: @Sendable (Arguments) throws -> Int32

  static let directory = Option(
    name: "dir", value: "DIR", summary: "where the sandbox keeps its files")
  static let json = Option(name: "json", summary: "print JSON")

  private var shown: [Option] { options.filter { !$0.isInternal } }

  var usage: String {
    let parts = shown.map { option in
      "[--\(option.name)" + (option.value.map { " \($0)" } ?? "") + "]"
    }
    return (["sdkctl-sandbox \(name)"] + (operands.isEmpty ? [] : [operands]) + parts)
      .joined(separator: " ")
  }

  var help: String {
    let width = shown.map { $0.name.count + ($0.value.map { $0.count + 1 } ?? 0) }.max() ?? 0
    let rows = shown.map { option in
      let left = option.name + (option.value.map { " \($0)" } ?? "")
      let gap = String(repeating: " ", count: width - left.count + 2)
      return "  --\(left)\(gap)\(option.summary)\n"
    }
    return "usage: \(usage)\n\n\(summary)\n" + (rows.isEmpty ? "" : "\n" + rows.joined())
  }
}
