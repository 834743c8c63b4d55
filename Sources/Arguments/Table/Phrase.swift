/// Small pieces of English for messages.
enum Phrase {
  /// "a, b or c".
  static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The text in quotes, with what a terminal would obey shown as `\xNN` or `\u{N}`.
  static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        result += escaped(scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  /// Bytes in quotes, where only printable ASCII stands for itself.
  static func quoted(_ bytes: [UInt8]) -> String {
    bytes.reduce(into: "'") { result, byte in
      result += (0x20...0x7e).contains(byte) ? String(UnicodeScalar(byte)) : escaped(UInt32(byte))
    } + "'"
  }

  private static func escaped(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    guard value < 0x100 else { return "\\u{\(digits)}" }
    return "\\x" + (digits.count == 1 ? "0" : "") + digits
  }
}
