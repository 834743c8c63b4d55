import Primitives

extension JSON {
  /// Parses one document.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, without a byte order mark.
  ///   - maximumDepth: how deep arrays and objects may nest.
  /// - Throws: ``JSONError`` with line and column, also for a repeated member
  ///   name, for ill-formed UTF-8 and for bytes after the value.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
    self = try parser.document()
  }

  /// Parses one document from text.
  ///
  /// - Throws: ``JSONError`` with line and column.
  public init(parsing text: String, maximumDepth: Int = 64) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
  }
}

/// A recursive descent over the bytes; recursion is bounded by `maximumDepth`.
struct JSONParser {
  let bytes: [UInt8]
  let maximumDepth: Int
  var position = 0
  private var depth = 0

  init(bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  mutating func document() throws(JSONError) -> JSON {
    // Some servers and editors write a byte order mark, which a parser may ignore (RFC 8259 section 8.1).
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try self.value()
    skipWhitespace()
    guard position == bytes.count else { throw error("unexpected text after the value") }
    return value
  }

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  func error(_ message: String, at offset: Int? = nil) -> JSONError {
    let end = min(offset ?? position, bytes.count)
    var line = 1
    var start = 0
    for index in 0..<end where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      start = index + 1
    }
    return JSONError(message: message, line: line, column: end - start + 1)
  }

  private mutating func value() throws(JSONError) -> JSON {
    skipWhitespace()
    guard let byte = current else { throw error("unexpected end of the document") }
    switch byte {
    case UInt8(ascii: "{"): return try nested { (parser) throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { (parser) throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error("unexpected character")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSON
  ) throws(JSONError) -> JSON {
    guard depth < maximumDepth else { throw error("nested deeper than \(maximumDepth) levels") }
    depth += 1
    defer { depth -= 1 }
    position += 1
    return try body(&self)
  }

  private mutating func object() throws(JSONError) -> JSON {
    var members = JSONObject()
    skipWhitespace()
    if take("}") { return .object(members) }
    while true {
      skipWhitespace()
      let start = position
      guard current == UInt8(ascii: "\"") else { throw error("expected a member name") }
      let name = try string()
      skipWhitespace()
      guard take(":") else { throw error("expected ':' after the member name") }
      let value = try self.value()
      guard members.updateValue(value, forKey: name) == nil else {
        throw error("repeated member name", at: start)
      }
      skipWhitespace()
      if take(",") { continue }
      guard take("}") else { throw error("expected ',' or '}'") }
      return .object(members)
    }
  }

  private mutating func array() throws(JSONError) -> JSON {
    var elements: [JSON] = []
    skipWhitespace()
    if take("]") { return .array(elements) }
    while true {
      elements.append(try value())
      skipWhitespace()
      if take(",") { continue }
      guard take("]") else { throw error("expected ',' or ']'") }
      return .array(elements)
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    let count = word.utf8CodeUnitCount
    let matches =
      position + count <= bytes.count
      && (0..<count).allSatisfy { bytes[position + $0] == word.utf8Start[$0] }
    guard matches else { throw error("unexpected character") }
    position += count
    return value
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipWhitespace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

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

/// Why a document is not JSON, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong: lower case, no period, none of the document's text.
  public let message: String
  /// The line, from 1.
  public let line: Int
  /// The column in bytes, from 1.
  public let column: Int

  /// The message with its place.
  public var description: String { "\(message) at line \(line), column \(column)" }
}

/// A JSON number in the spelling of its document.
public struct JSONNumber: Sendable, Hashable {
  /// The number as it was written.
  public let text: String

  /// Makes a number from an integer.
  public init(_ value: some FixedWidthInteger) { text = String(value) }

  /// Makes a number in the shortest spelling that is read as the same value; `nil` if not finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// Takes a spelling that the parser has checked.
  init(checked text: String) { self.text = text }

  /// The number as a `Double`; `nil` when it is out of range.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The number as an integer, if it is whole and fits: `1.50e2` is 150, `1e-400` is not whole.
  public var int: Int64? {
    // Exact: a `Double` would round a fraction away.
    let parts = text.utf8.split { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    let mantissa = parts[0].split(separator: UInt8(ascii: "."))
    var digits = Array(mantissa.joined())
    if digits.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }) { return 0 }
    guard let exponent = parts.count > 1 ? Int32(Substring(parts[1])) : 0 else { return nil }
    var scale = Int(exponent) - (mantissa.count > 1 ? mantissa[1].count : 0)
    while scale < 0, digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      scale += 1
    }
    guard (0...18).contains(scale) else { return nil }
    digits += [UInt8](repeating: UInt8(ascii: "0"), count: scale)
    return Int64(String(decoding: digits, as: UTF8.self))
  }
}
