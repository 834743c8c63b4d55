import Primitives

/// What a shell may offer for the last word of a command line.
package struct Offer: Sendable, Hashable {
  /// A whole word.
  package struct Candidate: Sendable, Hashable {
    package let word: String
    package let summary: String
  }

  /// Where further candidates come from.
  package enum Source: Sendable, Hashable {
    case none, files, directories

    /// A foreign command line that begins at this word; the program itself is word 0.
    case commandLine(Int)

    /// Values of a kind that the program knows.
    case values(String)

    /// The names that are in no table: external commands and aliases.
    case externals
  }

  package private(set) var candidates: [Candidate] = []
  package private(set) var source: Source

  /// What stands before a value in the same word: "--profile=".
  package let lead: String

  /// The operands before the word.
  package let operands: [String]

  /// The command whose value the word is; empty before one is named.
  package let path: [String]

  init(_ source: Source, lead: String = "", operands: [String] = [], path: [String] = []) {
    self.source = source
    self.lead = lead
    self.operands = operands
    self.path = path
  }

  /// Adds values of its source.
  package mutating func add(_ values: [String]) {
    add(values.map { ($0, "") })
  }

  /// Adds values of its source with a summary each.
  package mutating func add(_ rows: [(value: String, summary: String)]) {
    candidates += rows.map { Candidate(word: lead + $0.value, summary: $0.summary) }
  }

  /// The response to a completion script: the source, then a candidate with its summary a line.
  ///
  /// A word that cannot stand on a line of its own is left out.
  package var text: String {
    let source =
      switch source {
      case .files: "files\t\(lead)"
      case .directories: "directories\t\(lead)"
      case .commandLine(let start): "command\t\(start)"
      case .none, .values, .externals: "words\t"
      }
    let words = candidates.filter { VisibleText.of($0.word) == $0.word }
    return ([source] + words.map { "\($0.word)\t\($0.summary)" }).map { $0 + "\n" }.joined()
  }
}
