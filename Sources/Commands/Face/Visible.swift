/// Text as a terminal may show it: what was typed or received must not act on it.
enum Visible {
  /// The text with control characters spelled out; tabs and line breaks stay.
  static func text(_ text: String) -> String { escaped(text, except: ["\t", "\n"]) }

  /// The text as one line, with all control characters spelled out.
  static func line(_ text: String) -> String { escaped(text, except: []) }

  private static func escaped(_ text: String, except kept: Set<Unicode.Scalar>) -> String {
    func isActing(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.generalCategory == .control && !kept.contains(scalar)
    }
    guard text.unicodeScalars.contains(where: isActing) else { return text }
    return text.unicodeScalars.map { scalar in
      isActing(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }
}
