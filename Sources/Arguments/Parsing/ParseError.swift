/// A usage error on its way to `UsageError`, which adds the command and the hint.
struct ParseError: Error, Hashable {
  let message: String

  /// The most similar valid word: "--profile", "token decode".
  var suggestion: String?

  /// What to do instead, if it is known.
  var advice: String?

  /// The word that is too much, about which the program may have advice.
  var word: String?

  /// Whether a command is unknown, on which there is no help either.
  var isUnknownCommand = false

  /// Whether a command is missing: the program then lists those that may follow.
  var isWithoutCommand = false

  /// Whether a default of a file is wrong, and not the command line.
  var isConfiguration = false

  init(
    _ message: String, suggestion: String? = nil, advice: String? = nil,
    isConfiguration: Bool = false
  ) {
    self.message = message
    self.suggestion = suggestion
    self.advice = advice
    self.isConfiguration = isConfiguration
  }
}

/// A wrong command line, with a hint.
package struct UsageError: Error, Sendable, Hashable {
  /// Lower case, no final period: "unknown option '--profil'".
  package let message: String

  /// "did you mean '--profile'? see 'sdkctl help token'".
  package let hint: String

  /// The command whose arguments are wrong; empty before one is named.
  package let path: [String]

  /// Whether a command is missing: the program then lists those that may follow.
  package var isWithoutCommand = false

  /// Whether a default of a file is wrong, and not the command line.
  package var isConfiguration = false

  package init(message: String, hint: String, path: [String] = []) {
    self.message = message
    self.hint = hint
    self.path = path
  }
}

extension UsageError {
  init(_ parseError: ParseError, path: [String], program: String) {
    message = parseError.message
    let question =
      parseError.advice.map { "\($0); " }
      ?? parseError.suggestion.map { "did you mean \(Phrase.quoted($0))? " } ?? ""
    hint = "\(question)see '\(([program, "help"] + path).joined(separator: " "))'"
    self.path = path
    isConfiguration = parseError.isConfiguration
    isWithoutCommand = parseError.isWithoutCommand
  }
}
