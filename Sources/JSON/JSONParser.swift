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
