internal import Primitives

/// Writes a document in UTF-8.
package struct JSONWriter {
  private let isPretty: Bool
  package private(set) var bytes: [UInt8] = []
  private var isFirst = true

  package init(_ layout: JSON.Layout = .compact) { isPretty = layout == .pretty }

  /// Starts again, in the memory that it has.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    isFirst = true
  }

  /// Ends a line of a report.
  package mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  /// Writes an object on one line, member by member, in the order of the calls.
  package mutating func writeObject(_ body: (inout JSONWriter) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    isFirst = false
  }

  /// Writes the name of a member, which needs no escapes; its value comes next.
  package mutating func writeName(_ name: StaticString) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    write(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes the name of a member, whose value comes next.
  package mutating func writeName(text name: String) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    writeQuoted(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a member; not if there is no value.
  package mutating func write(_ name: StaticString, _ value: JSON?) {
    guard let value else { return }
    writeName(name)
    write(value, depth: 0)
  }

  /// Writes a member that is a text; nothing for `nil`.
  package mutating func write(_ name: StaticString, text: String?) {
    guard let text else { return }
    writeName(name)
    writeQuoted(text)
  }

  /// Writes a member that is a whole number.
  package mutating func write(_ name: StaticString, number: Int) {
    writeName(name)
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(decimal: UInt64(number.magnitude))
  }

  /// Writes a member that is a number of seconds, to the microsecond.
  package mutating func write(_ name: StaticString, seconds: Duration) {
    writeName(name)
    let (whole, attoseconds) = max(.zero, seconds).components
    bytes.append(decimal: UInt64(whole))
    bytes.append(UInt8(ascii: "."))
    bytes.append(decimal: UInt64(attoseconds / 1_000_000_000_000), atLeast: 6)
  }

  /// Writes a member that is an array of texts, element by element.
  package mutating func writeArray(_ name: String, _ body: (inout JSONWriter) -> Void) {
    writeName(text: name)
    bytes.append(UInt8(ascii: "["))
    isFirst = true
    body(&self)
    bytes.append(UInt8(ascii: "]"))
    isFirst = false
  }

  /// Writes an element of an array.
  package mutating func writeElement(_ text: String) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    writeQuoted(text)
  }

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
        index += Self.plainCount(text, from: index)
        guard index < text.count else { break }
        let byte = text[index]
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

  /// How many bytes from an index on are printable ASCII that needs no escape.
  private static func plainCount(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    let bytes = UnsafeRawBufferPointer(text)
    while index + 8 <= bytes.count,
      isPlain(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    {
      index += 8
    }
    while index < text.count, isPlain(text[index]) { index += 1 }
    return index - start
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Whether each of eight bytes is plain: the highest bit of a byte is set if it is not.
  private static func isPlain(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func isBelow(_ limit: UInt64) -> UInt64 { (bytes &- ones &* limit) & ~bytes }
    func isEqual(_ byte: UInt8) -> UInt64 {
      let difference = bytes ^ (ones &* UInt64(byte))
      return (difference &- ones) & ~difference
    }
    let found =
      bytes | isBelow(0x20) | isEqual(0x7F) | isEqual(UInt8(ascii: "\""))
      | isEqual(UInt8(ascii: "\\"))
    return found & (ones &* 0x80) == 0
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
      for unit in String(scalar).utf16 {
        write("\\u")
        bytes += Hex.encode([UInt8(unit >> 8), UInt8(unit & 0xFF)]).utf8
      }
    }
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
