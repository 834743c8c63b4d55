/// A usage error on its way to `UsageError`, which adds the command and the hint.
struct Complaint: Error, Hashable {
  let message: String

  /// What was perhaps meant: "--profile", "token decode".
  var suggestion: String?

  init(_ message: String, suggestion: String? = nil) {
    self.message = message
    self.suggestion = suggestion
  }
}

/// What is wrong with a command line, and what helps.
package struct UsageError: Error, Sendable, Hashable {
  /// Lower case, no final period: "unknown option '--profil'".
  package let message: String

  /// "did you mean '--profile'? see 'sdkctl help token'".
  package let hint: String

  /// The command whose arguments are wrong; empty before one is named.
  package let path: [String]

  package init(message: String, hint: String, path: [String] = []) {
    self.message = message
    self.hint = hint
    self.path = path
  }
}

extension UsageError {
  init(_ complaint: Complaint, path: [String], program: String) {
    message = complaint.message
    let question = complaint.suggestion.map { "did you mean \(Phrase.quoted($0))? " } ?? ""
    hint = "\(question)see '\(([program, "help"] + path).joined(separator: " "))'"
    self.path = path
  }
}
