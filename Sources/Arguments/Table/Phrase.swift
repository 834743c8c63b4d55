import Primitives

/// Small pieces of English for messages.
package enum Phrase {
  /// "a, b or c".
  package static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The text in quotes, safe to show.
  static func quoted(_ text: String) -> String { "'\(VisibleText.of(text))'" }

  /// Bytes in quotes, where only printable ASCII stands for itself.
  static func quoted(_ bytes: [UInt8]) -> String { "'\(VisibleText.of(bytes: bytes))'" }
}
