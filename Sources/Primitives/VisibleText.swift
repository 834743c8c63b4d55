/// Text that was typed or received, made safe to show on a terminal and in a page.
///
/// What acts instead of showing is replaced: control characters, line and paragraph separators, and
/// invisible format characters, of which the marks of writing direction (UAX #9) show a text in
/// another order than it has. Tests of length count scalars: a character of Swift may be made of
/// any number of them.
package enum VisibleText {
  /// How a character that acts is shown.
  package enum Replacement: Sendable {
    /// `\u{1B}`, `\n`: as in a string literal of Swift.
    case escape
    /// `\1B`: the bytes of its UTF-8 in hexadecimal, as in a distinguished name (RFC 4514).
    case bytes
    /// A space, for prose.
    case space
  }

  /// The text with everything replaced that acts, cut after `limit` scalars; the characters of `kept` stay.
  package static func of(
    _ text: String, _ replacement: Replacement = .escape, keeping kept: [Unicode.Scalar] = [],
    limit: Int = .max
  ) -> String {
    func isReplaced(_ scalar: Unicode.Scalar) -> Bool { scalar.acts && !kept.contains(scalar) }
    let isShort = text.utf8.count <= limit
    if isShort, !text.unicodeScalars.contains(where: isReplaced) { return text }
    var visible = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      guard isReplaced(scalar) else {
        visible.unicodeScalars.append(scalar)
        continue
      }
      switch replacement {
      case .escape: visible += scalar.escaped(asASCII: true)
      case .bytes:
        for byte in String(scalar).utf8 { visible += "\\" + Hex.encode([byte], uppercase: true) }
      case .space: visible += " "
      }
    }
    return visible
  }

  /// The name in quotes, cut after 80 scalars.
  package static func quoted(_ text: String) -> String {
    let isCut = text.unicodeScalars.dropFirst(80).isEmpty == false
    return "'\(of(text, limit: 80))\(isCut ? "…" : "")'"
  }

  /// Bytes of which only printable ASCII shows itself; the others as `\xNN`.
  package static func of(bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { text, byte in
      if (0x20...0x7E).contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + Hex.encode([byte])
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it acts on a terminal or on the text around it, and has no look of its own.
  package var acts: Bool {
    if value < 0x20 { return true }
    if value < 0x7F { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // A soft hyphen and the joiners are part of the spelling of words.
    case .format: return ![0xAD, 0x200C, 0x200D].contains(value)
    default: return false
    }
  }
}

extension Character {
  /// The columns of a terminal that it takes: two for East Asian characters and pictures.
  package var columns: Int {
    guard let scalar = unicodeScalars.first?.value else { return 1 }
    return Self.wide.contains { $0.contains(scalar) } ? 2 : 1
  }

  /// What Unicode Standard Annex 11 calls wide or full-width, in blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F680...0x1F6FF,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}

extension StringProtocol {
  /// The columns of a terminal that it takes.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension String {
  /// The text with the characters replaced that act in XML and HTML, in text and between double quotes.
  package func escapedForMarkup(apostrophes: Bool = false) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'" where apostrophes: escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension Int {
  /// The number with its noun: `1 host`, `2 hosts`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
