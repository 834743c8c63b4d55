import Arguments
import Primitives

/// Removes from remote text what a terminal would execute in place of showing it.
///
/// Escape sequences lose their escape, and so become plain text; marks of writing direction are
/// removed. What is not UTF-8 becomes U+FFFD: to a terminal that reads single bytes, 0x80 to 0x9F
/// are controls. Bytes come in pieces, so the filter remembers a character that has begun.
struct TerminalFilter {
  /// The bytes of a character that has begun; at most three.
  private var begun: [UInt8] = []

  /// The next piece, of which an unfinished character at the end is kept back.
  mutating func visible(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let all = begun + bytes
    let end = all.count - Self.unfinished(all)
    begun = Array(all[end...])
    return Self.visible(all[..<end])
  }

  /// What is left when no more comes: U+FFFD for a character that was cut off.
  mutating func rest() -> [UInt8] {
    defer { begun = [] }
    return Self.visible(begun[...])
  }

  private static func visible(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text = String.UnicodeScalarView()
    // A carriage return would let text be written over text.
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars
    where !scalar.acts || scalar == "\t" || scalar == "\n" {
      text.append(scalar)
    }
    return Array(String(text).utf8)
  }

  /// How many bytes at the end may be the beginning of a character.
  private static func unfinished(_ bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.reversed().prefix(3).enumerated() where byte & 0xC0 != 0x80 {
      let length = byte < 0xC2 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 1
      return index + 1 < length ? index + 1 : 0
    }
    return 0
  }
}

/// Text as a terminal may show it: what was typed or received must not act on it.
enum Visible {
  /// The text with characters that act spelled out; tabs and line breaks stay.
  static func text(_ text: String) -> String { VisibleText.of(text, keeping: ["\t", "\n"]) }

  /// The text as one line, with every character that acts spelled out.
  static func line(_ text: String) -> String { VisibleText.of(text) }

  /// The same, on lines of a width, all with its indent; a command in backquotes, which is pasted, stays on one.
  static func lines(_ text: String, width: Int?) -> [String] {
    let line = line(text)
    guard let width, line.columns > width else { return [line] }
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    let joined = parts.enumerated().map { index, part in
      index % 2 == 0 ? String(part) : String(part.map { $0 == " " ? space : $0 })
    }
    let indent = String(line.prefix { $0 == " " })
    return PlainText.filled(joined.joined(separator: "`"), width: width - indent.count)
      .map { indent + String($0.map { $0 == space ? " " : $0 }) }
  }

  private static let space: Character = "\u{A0}"
}
