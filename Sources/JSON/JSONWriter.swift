internal import Primitives

struct JSONWriter {
  private let isPretty: Bool
  private(set) var bytes: [UInt8] = []

  init(_ layout: JSON.Layout) { isPretty = layout == .pretty }

  mutating func write(_ value: JSON, depth: Int) {
    switch value {
    case .null: write("null")
    case .bool(let value): write(value ? "true" : "false")
    case .number(let value): bytes += value.text.utf8
    case .string(let value): writeQuoted(value)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        separate(index, depth)
        write(element, depth: depth + 1)
      }
      end(elements.isEmpty, depth)
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted.enumerated() {
        separate(index, depth)
        writeQuoted(member.key)
        write(isPretty ? ": " : ":")
        write(member.value, depth: depth + 1)
      }
      end(members.isEmpty, depth)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(_ text: StaticString) {
    bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  private mutating func separate(_ index: Int, _ depth: Int) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    breakLine(depth + 1)
  }

  private mutating func end(_ isEmpty: Bool, _ depth: Int) {
    if !isEmpty { breakLine(depth) }
  }

  private mutating func breakLine(_ depth: Int) {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { write("  ") }
  }

  private mutating func writeQuoted(_ string: String) {
    var string = string
    bytes.append(UInt8(ascii: "\""))
    string.withUTF8 { text in
      // What needs no escape is copied in one piece.
      var start = 0
      var index = 0
      while index < text.count {
        let byte = text[index]
        if Self.isPlain(byte) {
          index += 1
          continue
        }
        let (scalar, count) = Self.scalar(text, at: index)
        if byte < 0x80 || scalar.acts {
          bytes += UnsafeBufferPointer(rebasing: text[start..<index])
          escape(scalar)
          start = index + count
        }
        index += count
      }
      bytes += UnsafeBufferPointer(rebasing: text[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": write("\\\"")
    case "\\": write("\\\\")
    case "\n": write("\\n")
    case "\r": write("\\r")
    case "\t": write("\\t")
    // More than RFC 8259 requires: DEL, C1 controls and marks of writing direction act on terminals
    // too, and the document must be safe to print.
    default:
      for unit in scalar.utf16 {
        write("\\u")
        for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(Self.digit(unit >> shift & 0xF)) }
      }
    }
  }

  private static func digit(_ value: UInt16) -> UInt8 {
    UInt8(value) + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }

  /// The character at an index of valid UTF-8, and how many bytes it has.
  private static func scalar(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar, Int) {
    let first = text[index]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(first & (0x7F >> UInt8(count)))
    for offset in 1..<count { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", count)
  }
}
