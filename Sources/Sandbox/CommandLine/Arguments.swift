/// What was given to a command: options by name and the rest in order.
struct Arguments: Sendable, Equatable {
  private(set) var values: [String: String] = [:]
  private(set) var operands: [String] = []
  private(set) var wantsHelp = false

  /// Reads the words after the name of a command.
  init(_ words: some Sequence<String>, for verb: Verb) throws(Failure) {
    var rest = Array(words)[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      guard !optionsEnded, word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      if word == "--" {
        optionsEnded = true
      } else if word == "-h" || word == "--help" {
        wantsHelp = true
      } else {
        try take(word, from: &rest, for: verb)
      }
    }
    guard wantsHelp || verb.count.contains(operands.count) else {
      throw .usage(
        operands.count > verb.count.upperBound
          ? "unexpected argument '\(operands[verb.count.upperBound])'"
          : "'\(verb.name)' needs \(verb.operands)")
    }
  }

  func flag(_ name: String) -> Bool { values[name] != nil }

  /// A number of an option, within a range.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage("--\(name) takes a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private mutating func take(
    _ word: String, from rest: inout ArraySlice<String>, for verb: Verb
  ) throws(Failure) {
    let halves = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard word.hasPrefix("--"), let name = halves.first.map(String.init),
      let option = verb.options.first(where: { $0.name == name })
    else { throw .usage("unknown option '\(word)'") }
    guard values[name] == nil else { throw .usage("--\(name) is given twice") }
    guard option.value != nil else {
      guard halves.count == 1 else { throw .usage("--\(name) takes no value") }
      values[name] = ""
      return
    }
    guard let value = halves.count > 1 ? String(halves[1]) : rest.popFirst() else {
      throw .usage("--\(name) needs a value")
    }
    values[name] = value
  }
}
