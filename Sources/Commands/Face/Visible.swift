/// Text as a terminal may show it: what was typed or received must not act on it.
///
/// Marks of writing direction act too: they show a text in another order than it has.
enum Visible {
  /// The text with control characters spelled out; tabs and line breaks stay.
  static func text(_ text: String) -> String { escaped(text, except: ["\t", "\n"]) }

  /// The text as one line, with all control characters spelled out.
  static func line(_ text: String) -> String { escaped(text, except: []) }

  private static func escaped(_ text: String, except kept: Set<Unicode.Scalar>) -> String {
    func isActing(_ scalar: Unicode.Scalar) -> Bool {
      (scalar.properties.generalCategory == .control || scalar.isDirecting)
        && !kept.contains(scalar)
    }
    guard text.unicodeScalars.contains(where: isActing) else { return text }
    return text.unicodeScalars.map { scalar in
      isActing(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }
}

extension Unicode.Scalar {
  /// Whether it turns the direction of the text around it (UAX #9), and has no look of its own.
  fileprivate var isDirecting: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
