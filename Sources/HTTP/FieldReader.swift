internal import Primitives

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
