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

  package static func singleQuoted(_ text: String) -> String {
    // By scalars: to Swift a quote with a combining mark behind it is another character, to a
    // shell it is a quote.
    let pieces = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.map { String($0) }.joined(separator: "'\\''") + "'"
  }

  /// The words of a simple command line, without quotes and backslashes.
  ///
  /// Nothing is expanded. `nil` when a quote is left open.
  package static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch (quote, scalar) {
      case (nil, " "), (nil, "\t"):
        if let finished = word { words.append(String(finished)) }
        word = nil
      case (nil, "'"), (nil, "\""):
        quote = scalar
        word = word ?? String.UnicodeScalarView()
      case (let open?, scalar) where open == scalar: quote = nil
      case (nil, "\\"), ("\"", "\\"):
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? String.UnicodeScalarView()) + [next]
      default: word = (word ?? String.UnicodeScalarView()) + [scalar]
      }
    }
    if let word { words.append(String(word)) }
    return quote == nil ? words : nil
  }
}
