import Primitives

extension JSONParser {
  mutating func number() throws(JSONError) -> JSONNumber {
    let start = position
    skip("-")
    guard let first = current, first.isDigit else { throw error("expected a digit") }
    position += 1
    if first != UInt8(ascii: "0") { skipDigits() }
    if skip(".") { try digits() }
    if skip("e") || skip("E") {
      if !skip("+") { skip("-") }
      try digits()
    }
    return JSONNumber(checked: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  mutating func string() throws(JSONError) -> String {
    let opening = position
    position += 1
    let start = position
    var unescaped: [UInt8]?
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let string =
          if let unescaped {
            unescaped.withUnsafeBytes { String(utf8: $0) }
          } else {
            bytes.withUnsafeBytes { String(utf8: .init(rebasing: $0[start..<position])) }
          }
        position += 1
        guard let string else { throw error("text that is not UTF-8", at: opening) }
        return string
      case UInt8(ascii: "\\"):
        var text = unescaped.take() ?? Array(bytes[start..<position])
        try escape(into: &text)
        unescaped = text
      case 0..<0x20:
        throw error("control character in a string")
      default:
        unescaped?.append(byte)
        position += 1
      }
    }
    throw error("unfinished string", at: opening)
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let start = position
    position += 1
    guard let byte = current else { throw error("unfinished escape", at: start) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      text.append(contentsOf: Array(String(try unicodeScalar(from: start)).utf8))
    default: throw error("unknown escape", at: start)
    }
  }

  private mutating func unicodeScalar(from start: Int) throws(JSONError) -> Character {
    let high = try codeUnit(from: start)
    var value = UInt32(high)
    if UTF16.isLeadSurrogate(high) {
      guard skip("\\"), skip("u") else { throw error("lone surrogate", at: start) }
      let low = try codeUnit(from: start)
      guard UTF16.isTrailSurrogate(low) else { throw error("lone surrogate", at: start) }
      value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw error("lone surrogate", at: start) }
    return Character(scalar)
  }

  private mutating func codeUnit(from start: Int) throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = byte.hexValue else {
        throw error("escape without four hexadecimal digits", at: start)
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }

  private mutating func digits() throws(JSONError) {
    guard let byte = current, byte.isDigit else { throw error("expected a digit") }
    skipDigits()
  }

  private mutating func skipDigits() {
    while let byte = current, byte.isDigit { position += 1 }
  }

  @discardableResult
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}
