import Primitives

/// Takes out of remote text what would act on a terminal instead of being read.
///
/// Escape sequences lose their escape, and so become plain text; marks of writing direction are
/// removed. What is not UTF-8 becomes U+FFFD: to a terminal that reads single bytes, 0x80 to 0x9F
/// are controls. Bytes come in pieces, so the filter remembers a character that has begun.
struct TerminalFilter {
  /// The beginning of a character, well-formed so far.
  private var begun: [UInt8] = []

  /// The next piece, of which an unfinished character at the end is kept back.
  mutating func visible(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count + 3)
    for byte in bytes { take(byte, into: &kept) }
    return kept
  }

  /// What is left when no more comes: U+FFFD for a character that was cut off.
  mutating func rest() -> [UInt8] {
    defer { begun = [] }
    return begun.isEmpty ? [] : Self.replacement
  }

  private mutating func take(_ byte: UInt8, into kept: inout [UInt8]) {
    if begun.isEmpty {
      switch byte {
      // A carriage return would let text be written over text.
      case 0x09, 0x0A, 0x20...0x7E: kept.append(byte)
      case 0..<0x80: break
      case 0xC2...0xF4: begun = [byte]
      default: kept += Self.replacement
      }
      return
    }
    guard Self.allowed(after: begun).contains(byte) else {
      begun = []
      kept += Self.replacement
      take(byte, into: &kept)
      return
    }
    begun.append(byte)
    guard begun.count == Self.length(of: begun[0]) else { return }
    defer { begun = [] }
    if let scalar = String(decoding: begun, as: UTF8.self).unicodeScalars.first, !scalar.acts {
      kept += begun
    }
  }

  private static func length(of first: UInt8) -> Int { first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

  /// The bytes that may follow (Unicode 3.9, table 3-7).
  private static func allowed(after begun: [UInt8]) -> ClosedRange<UInt8> {
    switch (begun.count, begun[0]) {
    case (1, 0xE0): 0xA0...0xBF
    case (1, 0xED): 0x80...0x9F
    case (1, 0xF0): 0x90...0xBF
    case (1, 0xF4): 0x80...0x8F
    default: 0x80...0xBF
    }
  }

  private static let replacement = Array("\u{FFFD}".utf8)
}
