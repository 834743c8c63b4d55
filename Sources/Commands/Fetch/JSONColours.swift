import Primitives

/// Colours JSON for a terminal as it arrives, without changing anything else.
///
/// Input that is not JSON passes too: only its quotes, digits and letters get colours.
struct JSONColours {
  private enum Token: Hashable { case none, string, escape, scalar }

  private var token = Token.none
  /// For each open array or object, whether it is an object.
  private var containers: [Bool] = []
  private var expectsName = false

  /// The next piece with colours.
  mutating func colour(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { take(byte, into: &text) }
    return text
  }

  /// Returns the bytes that end the last colour.
  mutating func rest() -> [UInt8] {
    defer { token = .none }
    return token == .none ? [] : Self.end
  }

  private mutating func take(_ byte: UInt8, into text: inout [UInt8]) {
    switch token {
    case .escape:
      token = .string
      text.append(byte)
    case .string:
      text.append(byte)
      if byte == UInt8(ascii: "\\") { token = .escape }
      if byte == UInt8(ascii: "\"") {
        text += Self.end
        token = .none
      }
    case .scalar where Self.isScalar(byte): text.append(byte)
    case .scalar, .none:
      if token == .scalar { text += Self.end }
      token = .none
      begin(byte, into: &text)
    }
  }

  private mutating func begin(_ byte: UInt8, into text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""):
      text += expectsName ? Self.nameColour : Self.stringColour
      token = .string
      expectsName = false
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if containers.count < 1024 { containers.append(byte == UInt8(ascii: "{")) }
      expectsName = byte == UInt8(ascii: "{")
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      _ = containers.popLast()
      expectsName = false
    case UInt8(ascii: ","): expectsName = containers.last == true
    case _ where Self.isScalar(byte):
      text += Self.scalarColour
      token = .scalar
    default: break
    }
    text.append(byte)
  }

  private static func isScalar(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-+.".utf8.contains(byte)
  }

  private static let nameColour = Array("\u{1b}[34;1m".utf8)
  private static let stringColour = Array("\u{1b}[32m".utf8)
  private static let scalarColour = Array("\u{1b}[36m".utf8)
  private static let end = Array("\u{1b}[0m".utf8)
}
