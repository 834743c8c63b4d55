extension ShellWord {
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
