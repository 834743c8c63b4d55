import Primitives

/// Character references of HTML text.
enum HTMLText {
  /// The text with the references replaced that values of forms contain.
  static func decoded(_ bytes: [UInt8]) -> String {
    var text = ""
    var rest = bytes[...]
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += String(decoding: rest[..<mark], as: UTF8.self)
      rest = rest[mark...].dropFirst()
      let name = rest.prefix(12).prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "#") }
      guard let scalar = scalar(String(decoding: name, as: UTF8.self)) else {
        text += "&"
        continue
      }
      text.unicodeScalars.append(scalar)
      rest = rest[name.endIndex...]
      if rest.first == UInt8(ascii: ";") { rest = rest.dropFirst() }
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return named(name) }
    let digits = name.dropFirst()
    let number =
      digits.hasPrefix("x") || digits.hasPrefix("X")
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
  }

  private static func named(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp", "AMP": "&"
    case "lt", "LT": "<"
    case "gt", "GT": ">"
    case "quot", "QUOT": "\""
    case "apos": "'"
    case "nbsp": "\u{A0}"
    case "sol": "/"
    case "equals": "="
    case "plus": "+"
    case "colon": ":"
    default: nil
    }
  }
}
