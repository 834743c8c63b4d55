/// Everything that help, manual, completion and lexing must know of an option.
package struct OptionDoc: Sendable {
  package let long: String
  package let short: Character?

  /// What stands for the value in documents; nil for a switch.
  package let valueName: String?

  package let summary: String

  /// Whether `--no-NAME` turns the switch off.
  package var isNegatable = false

  package var completion = Completion.none
  package var repetition = Repetition.last

  /// The environment variable with the same meaning; the option has precedence.
  package var environment: String?

  package var group: Heading?

  /// Longer prose for `--help` and the manual, after the summary.
  package var text = ""

  /// Options of the same set cannot be used together.
  package var exclusiveSet: String?

  /// Long names of options of which one must be given too.
  package var needs: [String] = []

  /// Long names of options that cannot be given too, or `no-NAME`; global ones as well.
  package var excludes: [String] = []

  /// The file that a value names, where `-` is standard input; `nil` if it names none.
  var inputFile: (@Sendable (String) throws -> String?)?

  /// Whether a value is standard input.
  func isInput(_ value: String) -> Bool { (try? inputFile?(value)) == "-" }

  /// Whether an empty value means something.
  var allowsEmpty = false

  /// The names a person may type, `--no-NAME` included.
  package var names: [String] {
    isNegatable ? ["--\(long)", "--no-\(long)"] : ["--\(long)"]
  }

  /// All forms: "-p", "--profile".
  package var forms: [String] { (short.map { ["-\($0)"] } ?? []) + names }

  var takesValue: Bool { valueName != nil }
}

/// What a shell may offer for a value.
package enum Completion: Sendable, Hashable {
  case none
  case file
  case directory

  case choices([String])

  /// Values of a kind that the program knows, without network.
  case dynamic(String)
}

/// What it means to give an option more than once.
///
/// A usage error, the last one counts, all values are kept in their order, or the occurrences are counted.
package enum Repetition: Sendable, Hashable {
  case once, last, append, count
}
