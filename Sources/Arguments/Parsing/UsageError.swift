/// A wrong command line, with a hint.
package struct UsageError: Error, Sendable, Hashable {
  /// Lower case, no final period: "unknown option '--profil'".
  package let message: String

  /// The most similar valid word: "--profile", "token decode".
  var suggestion: String?

  /// What to do instead, if it is known.
  var advice: String?

  /// The word that is too much, about which the program may have advice.
  var word: String?

  /// Whether a command is missing: the program then lists those that may follow.
  package var isWithoutCommand = false

  /// Whether a default of a file is wrong, and not the command line.
  package var isConfiguration = false

  /// The command whose arguments are wrong; empty before one is named.
  package private(set) var path: [String] = []

  private var program = ""

  init(
    _ message: String, suggestion: String? = nil, advice: String? = nil,
    isConfiguration: Bool = false
  ) {
    self.message = message
    self.suggestion = suggestion
    self.advice = advice
    self.isConfiguration = isConfiguration
  }

  /// "did you mean '--profile'? see 'sdkctl help token'".
  package var hint: String {
    let question =
      advice.map { "\($0); " }
      ?? suggestion.map { "did you mean \(Phrase.quoted($0))? " } ?? ""
    return "\(question)see '\(([program, "help"] + path).joined(separator: " "))'"
  }

  /// The error of a command of a program.
  func of(_ path: [String], _ program: Program) -> UsageError {
    var error = self
    (error.path, error.program) = (path, program.name)
    return error
  }
}
