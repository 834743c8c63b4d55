import Primitives

/// Text as a terminal may show it: what was typed or received must not act on it.
enum Visible {
  /// The text with characters that act spelled out; tabs and line breaks stay.
  static func text(_ text: String) -> String { VisibleText.of(text, keeping: ["\t", "\n"]) }

  /// The text as one line, with every character that acts spelled out.
  static func line(_ text: String) -> String { VisibleText.of(text) }
}
