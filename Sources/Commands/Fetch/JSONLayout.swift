import Primitives

/// Indents JSON for a terminal as it arrives, and colours it; nothing but blanks is changed.
///
/// Input that is not JSON passes too: only its quotes, digits and letters get colours.
struct JSONLayout {
  private enum Token: Hashable { case none, string, escape, scalar }

  private var token = Token.none
  /// For each open array or object, whether it is an object.
  private var containers: [Bool] = []
  private var expectsName = false
  /// Whether a line begins before the next value, unless the container ends at once.
  private var isOpening = false
  private let hasColours: Bool

  init(colours: Bool) { hasColours = colours }

  mutating func laidOut(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { take(byte, into: &text) }
    return text
  }

  /// Returns the bytes that end the last colour.
  mutating func rest() -> [UInt8] {
    defer { token = .none }
    return token == .none ? [] : end
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
        text += end
        token = .none
      }
    case .scalar where Self.isScalar(byte): text.append(byte)
    case .scalar, .none:
      if token == .scalar { text += end }
      token = .none
      begin(byte, into: &text)
    }
  }

  private mutating func begin(_ byte: UInt8, into text: inout [UInt8]) {
    if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      // Between documents the line ends.
      if containers.isEmpty, byte == 0x0A, text.last != 0x0A { text.append(byte) }
      return
    }
    let isEnd = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    if isOpening, !isEnd { newLine(into: &text) }
    let isStart = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    defer { isOpening = isStart }
    switch byte {
    case UInt8(ascii: "\""):
      text += colour(expectsName ? Self.nameColour : Self.stringColour)
      token = .string
      expectsName = false
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if containers.count < 1024 { containers.append(byte == UInt8(ascii: "{")) }
      expectsName = byte == UInt8(ascii: "{")
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      _ = containers.popLast()
      expectsName = false
      if !isOpening { newLine(into: &text) }
    case UInt8(ascii: ","):
      expectsName = containers.last == true
      text.append(byte)
      return newLine(into: &text)
    case UInt8(ascii: ":"):
      text += [byte, 0x20]
      return
    case _ where Self.isScalar(byte):
      text += colour(Self.scalarColour)
      token = .scalar
    default: break
    }
    text.append(byte)
  }

  private func newLine(into text: inout [UInt8]) {
    text.append(0x0A)
    text += [UInt8](repeating: 0x20, count: 2 * min(containers.count, 64))
  }

  private func colour(_ bytes: [UInt8]) -> [UInt8] { hasColours ? bytes : [] }

  private var end: [UInt8] { colour(Self.end) }

  private static func isScalar(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-+.".utf8.contains(byte)
  }

  private static let nameColour = Array("\u{1b}[34;1m".utf8)
  private static let stringColour = Array("\u{1b}[32m".utf8)
  private static let scalarColour = Array("\u{1b}[36m".utf8)
  private static let end = Array("\u{1b}[0m".utf8)
}
