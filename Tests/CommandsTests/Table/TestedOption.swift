import Testing

@testable import Arguments
@testable import Commands

/// An option of a command, and a line on which it can stand.
struct TestedOption: Sendable, CustomTestStringConvertible {
  let command: TestedCommand
  let doc: OptionDoc
  /// A value that it takes; `nil` for a switch.
  let value: String?
  /// The operands of that line, and the other options that it needs.
  let operands: [String]
  let others: [String]
  /// The values of `samples` that it takes, and why it refuses others.
  let accepted: [String]
  let reasons: [String]
  /// What the option changes on that line; `nil` if no line was found.
  let changes: [String: String]?

  /// Every option of every command.
  static let all: [TestedOption] = TestedCommand.all.flatMap { command in
    let (docs, operands) = (command.options, command.operandSamples)
    let typed = docs.indices.map { docs[$0].typed(of: command, at: $0) }
    return docs.indices.map { index in
      let others = typed.enumerated().filter { $0.offset != index }.flatMap(\.element)
      return TestedOption(command, index, docs[index], operands, others)
    }
  }

  /// Values of all kinds that options take or refuse.
  static let samples = [
    "v", "7", "7d", "75%", "a=b", "a: b", "7-9", "7/s", "7K", "0640", "0666", "@f", "a.test",
    "*.com", "a/b", "A_B", "A-B", "a@b.test", "https://a.test", "https://a.test/#b",
    "http://a.test", "2030-01-01", "2030-01-02T00:00:00Z", "ES256", "HS256", "none",
    "GET https://a.test/x", "F1D0#1001", "helper:v", "a.test:443:127.0.0.1", "::a.test:", "[{}]",
    "%{http_code}", "%{x}", "scope=x", "google", "0", "-1", "65536", "2147483649",
  ]

  var testDescription: String { "\(command.name) --\(doc.long)" }
  var path: [String] { command.path }
  /// The option as it is typed, once.
  var once: [String] { ["--\(doc.long)"] + (value.map { [$0] } ?? []) }
  /// Whether it must stand before the operands, which are a foreign command line.
  var standsFirst: Bool { command.operands.contains { $0.arity == .verbatim } }

  /// The words with the option, `given` in its place.
  func line(_ given: [String], isLast: Bool = false) -> [String] {
    isLast ? others + operands + given : given + others + operands
  }

  private init(
    _ command: TestedCommand, _ index: Int, _ doc: OptionDoc, _ operands: [[String]],
    _ settings: [[String]]
  ) {
    (self.command, self.doc) = (command, doc)
    var values: [String?] = [nil]
    var reasons: [String] = []
    if doc.takesValue {
      let samples = doc.choices + Self.samples.filter { !doc.choices.contains($0) }
      let refusals = samples.map { ($0, command.refusal(of: index, $0)) }
      values = refusals.filter { $0.1 == nil }.map(\.0)
      for case (_, let reason?) in refusals where !reasons.contains(reason) {
        reasons.append(reason)
      }
    }
    accepted = values.compactMap(\.self)
    self.reasons = reasons
    // What it needs, and up to two other options.
    let needed = doc.needs.isEmpty ? [[]] : settings.filter { doc.needs.contains($0.name) }
    let few = needed.lazy.flatMap { needed in ([[]] + settings).lazy.map { needed + $0 } }
    let many = settings.indices.lazy.flatMap { first in
      settings[(first + 1)...].lazy.map { settings[first] + $0 }
    }
    let typed = values.prefix(4).map { value in ["--\(doc.long)"] + (value.map { [$0] } ?? []) }
    let line =
      Self.line(for: typed, few, operands, in: command)
      ?? Self.line(for: typed, many, operands, in: command)
    value = line.map { $0.typed.count > 1 ? $0.typed[1] : nil } ?? values.first ?? nil
    self.operands = line?.operands ?? []
    others = line?.others ?? []
    changes = line?.changes
  }

  private struct Line {
    let typed: [String]
    let operands: [String]
    let others: [String]
    let changes: [String: String]
  }

  /// The first line on which the command can run, if possible one where the option changes something.
  private static func line(
    for typed: [[String]], _ surroundings: some Sequence<[String]>, _ operands: [[String]],
    in command: TestedCommand
  ) -> Line? {
    for others in surroundings {
      for operands in operands {
        let base = command.changes(others + operands) ?? [:]
        let lines = typed.compactMap { typed in
          command.changes(typed + others + operands).map { changes in
            Line(
              typed: typed, operands: operands, others: others,
              changes: changes.filter { base[$0.key] != $0.value })
          }
        }
        if let line = lines.first(where: { !$0.changes.isEmpty }) ?? lines.first { return line }
      }
    }
    return nil
  }
}

extension [String] {
  /// The name of the option that these words give.
  fileprivate var name: String { first.map { String($0.dropFirst(2)) } ?? "" }
}

extension OptionDoc {
  /// The values that the shell offers.
  fileprivate var choices: [String] {
    if case .choices(let values) = completion { values } else { [] }
  }

  /// The option with each of its choices, or with another value that it takes.
  fileprivate func typed(of command: TestedCommand, at index: Int) -> [[String]] {
    guard takesValue else { return [["--\(long)"]] }
    let values = choices.isEmpty ? TestedOption.samples : choices
    let taken = values.filter { command.refusal(of: index, $0) == nil }
    return (choices.isEmpty ? Array(taken.prefix(1)) : taken).map { ["--\(long)", $0] }
  }
}

extension TestedCommand {
  /// Operands with which the command can run; none, if options can stand in their place.
  fileprivate var operandSamples: [[String]] {
    let required = operands.filter(\.isRequired)
    guard !required.isEmpty else { return [[]] }
    let words = ["v", "/v", "a=b", "get", "install", "bash", "files"]
    var lines: [[String]] = [[]]
    for operand in required {
      let values = if case .choices(let names) = operand.completion { names } else { words }
      lines = lines.flatMap { line in values.map { line + [$0] } }
    }
    // Which words an operand refuses does not depend on the options.
    let valid = lines.filter { line in
      usageError(path + line)?.hasPrefix("invalid ") != true
    }
    return Array(valid.prefix(2)) + [[]]
  }
}
