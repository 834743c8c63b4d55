/// Text as a terminal may show it: what was typed or received must not act on it.
enum Visible {
  /// The text with control characters spelled out; tabs and line breaks stay.
  static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isActing) else { return text }
    return text.unicodeScalars.map { scalar in
      isActing(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }

  private static func isActing(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\t" && scalar != "\n"
  }
}
