import Primitives

/// Reads a JSON document (RFC 8259) from bytes.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The document, with nothing behind it but white space; `nil` if it is none.
  mutating func document() -> JSON? {
    guard let value = value(depth: 0) else { return nil }
    skipSpace()
    return position == bytes.count ? value : nil
  }

  private mutating func value(depth: Int) -> JSON? {
    skipSpace()
    guard depth < 128, let byte = peek else { return nil }
    switch byte {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return word("true", .bool(true))
    case UInt8(ascii: "f"): return word("false", .bool(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSON? {
    var members: [String: JSON] = [:]
    position += 1
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard peek == UInt8(ascii: "\""), let name = string(), take(":"),
        let value = value(depth: depth + 1)
      else { return nil }
      members[name] = value
      if take("}") { return .object(members) }
      guard take(",") else { return nil }
    }
  }

  private mutating func array(depth: Int) -> JSON? {
    var values: [JSON] = []
    position += 1
    if take("]") { return .array(values) }
    while true {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
      if take("]") { return .array(values) }
      guard take(",") else { return nil }
    }
  }

  private mutating func string() -> String? {
    var text: [UInt8] = []
    position += 1
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = escaped() else { return nil }
        text += escaped.utf8
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  /// What stands behind a backslash.
  private mutating func escaped() -> String? {
    guard let byte = peek else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return String(Unicode.Scalar(byte))
    case UInt8(ascii: "u"):
      guard var value = unit() else { return nil }
      if (0xD800..<0xDC00).contains(value) {
        guard take("\\", "u"), let low = unit(), (0xDC00..<0xE000).contains(low) else {
          return nil
        }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
      return Unicode.Scalar(value).map { String(Character($0)) }
    default: return nil
    }
  }

  /// Four hexadecimal digits.
  private mutating func unit() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = byte.hexValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }

  private mutating func number() -> JSON? {
    let start = position
    while let byte = peek, byte.isDigit || "+-.eE".utf8.contains(byte) { position += 1 }
    let text = bytes[start..<position]
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
    guard let first = digits.first, first.isDigit, text.last?.isDigit == true,
      first != UInt8(ascii: "0") || digits.dropFirst().first?.isDigit != true
    else { return nil }
    let written = String(decoding: text, as: UTF8.self)
    if let value = Int(written) { return .int(value) }
    return Double(written).flatMap { $0.isFinite ? .double($0) : nil }
  }

  private mutating func word(_ word: String, _ value: JSON) -> JSON? {
    guard bytes[position...].starts(with: word.utf8) else { return nil }
    position += word.utf8.count
    return value
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Passes over white space and a character; `false` if there is another.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func take(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: one),
      bytes[position + 1] == UInt8(ascii: other)
    else { return false }
    position += 2
    return true
  }
}
