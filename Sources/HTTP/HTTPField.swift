import Primitives

/// One header field (RFC 9110 section 5).
public struct HTTPField: Sendable, Hashable, CustomStringConvertible {
  /// The name as given; compared without regard to case.
  public let name: String
  /// The value without surrounding white space.
  public let value: String
  /// Whether the value is Latin-1, one byte for each of its scalars, and not UTF-8.
  package let isLatin1: Bool

  /// Makes a field; refuses what would split a message.
  ///
  /// - Throws: ``HTTPFieldError`` if the name is not a token, or if the value
  ///   holds CR, LF, NUL or another control character.
  public init(_ name: String, _ value: String) throws(HTTPFieldError) {
    guard isToken(name) else { throw .name(VisibleText.of(name, limit: 64)) }
    let text = value.trimmingBlanks
    guard text.utf8.allSatisfy(isFieldByte) else { throw .value(name: name) }
    self.name = name
    self.value = text
    isLatin1 = false
  }

  /// Makes a field of a value in bytes, which are sent as they are.
  ///
  /// - Throws: ``HTTPFieldError``, as ``init(_:_:)``.
  public init(_ name: String, bytes: [UInt8]) throws(HTTPFieldError) {
    let text = bytes.withUnsafeBytes { receivedText($0) }
    let field = try HTTPField(name, text)
    self.name = name
    value = field.value
    isLatin1 = !sameIdentifier(text, String(decoding: bytes, as: UTF8.self))
  }

  /// Makes a field of the bytes on both sides of the colon of a line that was received.
  ///
  /// A value that is not UTF-8 is read as Latin-1. Returns `nil` for what ``init(_:_:)`` refuses.
  package init?(receivedName: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    guard !receivedName.isEmpty, receivedName.allSatisfy(isTokenByte) else { return nil }
    var (start, end) = (0, value.count)
    while start < end, value[start].isBlank { start += 1 }
    while end > start, value[end - 1].isBlank { end -= 1 }
    let trimmed = UnsafeRawBufferPointer(rebasing: value[start..<end])
    var isASCII = true
    for byte in trimmed {
      guard isFieldByte(byte) else { return nil }
      if byte >= 0x80 { isASCII = false }
    }
    // Most values are ASCII, which needs no second check of the encoding.
    name = String(decoding: receivedName, as: UTF8.self)
    self.value = isASCII ? String(decoding: trimmed, as: UTF8.self) : receivedText(trimmed)
    isLatin1 = !isASCII && String(validating: trimmed, as: UTF8.self) == nil
  }

  /// Makes a field of a name and value known to be good.
  ///
  /// Control characters of the value are removed: CR, LF and NUL could start another field or message.
  public init(known name: StaticString, _ value: String) {
    self.name = name.description
    // By bytes: CR LF is one Character in Swift, and so is each of them with a combining mark.
    let kept = value.utf8.filter(isFieldByte)
    self.value = String(decoding: kept, as: UTF8.self)
    isLatin1 = false
  }

  /// The field as text.
  public var description: String { "\(name): \(value)" }

  /// The bytes of the value, as they were received or are sent.
  public var valueBytes: [UInt8] {
    isLatin1
      ? value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(value.utf8)
  }

  /// The value as a URI reference: bytes that are not UTF-8 are percent-encoded as they are.
  public var uriReference: String {
    guard isLatin1 else { return value }
    return value.unicodeScalars.map { scalar in
      scalar.isASCII ? "\(scalar)" : percentEncoded(UInt8(truncatingIfNeeded: scalar.value))
    }.joined()
  }
}

/// Whether a byte may stand in the value of a field.
private func isFieldByte(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }

/// The text of a header line or a part of one; what is not UTF-8 is read as Latin-1.
package func receivedText(_ bytes: UnsafeRawBufferPointer) -> String {
  if let text = String(utf8: bytes) { return text }
  var text = ""
  for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
  return text
}

/// Why a header field was refused.
public enum HTTPFieldError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name is not a token; the associated value is the name with control characters escaped.
  case name(String)
  /// The value holds a control character; carries the name only.
  case value(name: String)

  /// What is wrong, without the value.
  public var description: String {
    switch self {
    case .name(let name): "'\(name)' is not a header field name"
    case .value(let name): "the value of '\(name)' holds a line break or another control character"
    }
  }
}

/// The fields of a message, in order.
public struct HTTPFields: Sendable, Hashable, Sequence, ExpressibleByArrayLiteral {
  private var fields: [HTTPField]

  /// Makes a list of fields.
  public init(_ fields: [HTTPField] = []) { self.fields = fields }

  /// Makes a list of fields.
  public init(arrayLiteral elements: HTTPField...) { fields = elements }

  /// Walks over the fields in order.
  public func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }

  /// The value of the first field of that name.
  public subscript(name: String) -> String? { first(name)?.value }

  /// The first field of that name.
  public func first(_ name: String) -> HTTPField? {
    fields.first { $0.name.equalsIgnoringCase(name) }
  }

  /// The values of all fields of that name, in order.
  public func values(of name: String) -> [String] {
    var values: [String] = []
    for field in fields where field.name.equalsIgnoringCase(name) { values.append(field.value) }
    return values
  }

  /// The members of all fields of that name, whose values are lists (RFC 9110 section 5.6.1).
  ///
  /// A comma in a quoted string separates too: for lists of tokens.
  package func members(of name: String) -> [String] {
    values(of: name).flatMap { $0.split(separator: ",") }.map(\.trimmingBlanks)
      .filter { !$0.isEmpty }
  }

  /// Whether there is a field of that name.
  public func contains(_ name: String) -> Bool {
    fields.contains { $0.name.equalsIgnoringCase(name) }
  }

  /// How many fields there are.
  public var count: Int { fields.count }

  /// Adds a field after the others.
  public mutating func append(_ field: HTTPField) { fields.append(field) }

  /// Puts a field in place of all others of its name.
  public mutating func replace(with field: HTTPField) {
    remove(field.name)
    fields.append(field)
  }

  /// Takes out every field of that name.
  public mutating func remove(_ name: String) {
    fields.removeAll { $0.name.equalsIgnoringCase(name) }
  }
}

/// Reads the value of one field from left to right: tokens, quoted strings, spaces and commas (RFC 9110
/// section 5.6).
struct FieldReader {
  /// What has not been read.
  var rest: ArraySlice<UInt8>

  init(_ value: String) { rest = Array(value.utf8)[...] }

  mutating func token() -> String? {
    let word = rest.prefix(while: isTokenByte)
    guard !word.isEmpty else { return nil }
    rest = rest[word.endIndex...]
    return String(decoding: word, as: UTF8.self)
  }

  /// Whether a quoted string comes next.
  var beginsQuoted: Bool { rest.first == quote }

  /// A quoted string (RFC 9110 section 5.6.4); `nil` when it is left open.
  mutating func quoted() -> String? {
    var text: [UInt8] = []
    var tail = rest.dropFirst()
    while let byte = tail.popFirst() {
      switch byte {
      case quote:
        rest = tail
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = tail.popFirst() else { return nil }
        text.append(escaped)
      default: text.append(byte)
      }
    }
    return nil
  }

  @discardableResult
  mutating func skipSpaces() -> Bool {
    let tail = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    defer { rest = tail }
    return tail.count < rest.count
  }

  /// Skips commas and the spaces around them; `false` if there was no comma.
  @discardableResult
  mutating func skipCommas() -> Bool {
    let tail = rest.drop {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: ",")
    }
    defer { rest = tail }
    return rest[..<tail.startIndex].contains(UInt8(ascii: ","))
  }
}

private let quote = UInt8(ascii: "\"")
