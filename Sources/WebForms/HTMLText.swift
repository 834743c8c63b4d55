import Primitives

/// Character references of HTML text (HTML 13.2.5.72 to 13.2.5.84).
enum HTMLText {
  /// The text with its references replaced.
  ///
  /// In an attribute, a name without a semicolon before `=`, a letter or a digit is not a reference:
  /// `?a=1&copy=2` is the query of a URL.
  static func decoded(_ bytes: [UInt8], isAttribute: Bool = false) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var rest = bytes[...]
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += String(decoding: rest[..<mark], as: UTF8.self)
      rest = rest[mark...].dropFirst()
      let found =
        rest.first == UInt8(ascii: "#")
        ? numbered(rest.dropFirst()) : named(rest, isAttribute: isAttribute)
      guard let found else {
        text += "&"
        continue
      }
      text.unicodeScalars.append(found.scalar)
      rest = found.rest
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private typealias Found = (scalar: Unicode.Scalar, rest: ArraySlice<UInt8>)

  private static func numbered(_ text: ArraySlice<UInt8>) -> Found? {
    let isHex = text.first == UInt8(ascii: "x") || text.first == UInt8(ascii: "X")
    let start = isHex ? text.dropFirst() : text
    let digits = start.prefix { isHex ? $0.hexValue != nil : $0.isDigit }
    guard !digits.isEmpty else { return nil }
    let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10) ?? .max
    let rest = start[digits.endIndex...]
    return (
      scalar(number), rest.first == UInt8(ascii: ";") ? rest.dropFirst() : rest
    )
  }

  /// Numbers from 0x80 to 0x9F are those of Windows-1252, and what is not a character is U+FFFD.
  private static func scalar(_ number: UInt32) -> Unicode.Scalar {
    if (0x80...0x9F).contains(number) {
      let text = String(decoding: PageEncoding.utf8(ofLatin: [UInt8(number)]), as: UTF8.self)
      return text.unicodeScalars.first ?? "\u{FFFD}"
    }
    return number == 0 ? "\u{FFFD}" : Unicode.Scalar(number) ?? "\u{FFFD}"
  }

  private static func named(_ text: ArraySlice<UInt8>, isAttribute: Bool) -> Found? {
    let name = text.prefix(maximumLength).prefix { $0.isLetter || $0.isDigit }
    let rest = text[name.endIndex...]
    let word = String(decoding: name, as: UTF8.self)
    if rest.first == UInt8(ascii: ";"), let scalar = HTMLNames.scalar(word) {
      return (scalar, rest.dropFirst())
    }
    // The longest beginning that is a name: `&notit` is `¬it`.
    for length in stride(from: min(name.count, 6), through: 2, by: -1) {
      guard let scalar = HTMLNames.legacyScalar(word.prefix(length)) else { continue }
      let rest = text.dropFirst(length)
      let isText = rest.first.map { $0 == UInt8(ascii: "=") || $0.isLetter || $0.isDigit } ?? false
      return isAttribute && isText ? nil : (scalar, rest)
    }
    return nil
  }

  /// The longest name is `thetasym`; there is room for more.
  private static let maximumLength = 16
}
