/// Text as one word of a shell command.
package enum ShellWord {
  /// The text as it is where that is safe, else in single quotes.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte.isLetter || byte.isDigit || "/._-+:@%,=".utf8.contains(byte)
    }
    // zsh replaces '=ls' by the path of the command ls.
    return isPlain && !text.isEmpty && !text.hasPrefix("=") ? text : singleQuoted(text)
  }

  /// The words as a line for a shell.
  package static func line(_ words: [String]) -> String {
    words.map { quoted($0) }.joined(separator: " ")
  }

  /// The text in single quotes.
  package static func singleQuoted(_ text: String) -> String {
    // By scalars: to Swift a quote with a combining mark behind it is another character, to a
    // shell it is a quote.
    let pieces = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.map { String($0) }.joined(separator: "'\\''") + "'"
  }

  /// The text with a backslash before each of these characters.
  package static func escaping(_ characters: String, in text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if characters.unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }
}
