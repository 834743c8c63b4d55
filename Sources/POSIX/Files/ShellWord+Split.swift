extension ShellWord {
  /// The words of a simple command line, with quotes and backslashes taken away.
  ///
  /// Nothing is expanded. `nil` when a quote is left open.
  package static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch (quote, character) {
      case (nil, " "), (nil, "\t"):
        if let finished = word { words.append(finished) }
        word = nil
      case (nil, "'"), (nil, "\""):
        quote = character
        word = word ?? ""
      case (let open?, character) where open == character: quote = nil
      case (nil, "\\"), ("\"", "\\"):
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? "") + String(next)
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil ? words : nil
  }
}
