/// Takes out of remote text what would act on a terminal instead of being read.
///
/// Escape sequences lose their escape, and so become plain text; marks of writing direction go
/// altogether. Bytes come in pieces, so the filter remembers a character that has begun.
struct TerminalFilter {
  /// The beginning of a character that may act.
  private var begun: [UInt8] = []
  /// Whether the last thing was taken out: stray bytes behind it could put it together again.
  private var isBehindGap = false

  mutating func visible(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count + 2)
    for byte in bytes where !continues(byte, &kept) {
      if isBehindGap, (0x80...0xBF).contains(byte) { continue }
      isBehindGap = false
      switch byte {
      case 0xC2, 0xD8, 0xE2: begun = [byte]
      case 0x09, 0x0A, 0x0D: kept.append(byte)
      case 0..<0x20, 0x7F: isBehindGap = true
      default: kept.append(byte)
      }
    }
    return kept
  }

  /// Whether the byte belongs to the character that has begun, which then is passed over or goes on.
  private mutating func continues(_ byte: UInt8, _ kept: inout [UInt8]) -> Bool {
    guard let first = begun.first else { return false }
    switch (first, begun.dropFirst().first, byte) {
    // U+0080 to U+009F are controls too.
    case (0xC2, _, 0x80...0x9F), (0xD8, _, 0x9C),
      (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xAA...0xAE), (0xE2, 0x81, 0xA6...0xA9):
      begun = []
      isBehindGap = true
      return true
    case (0xE2, nil, 0x80...0x81):
      begun.append(byte)
      return true
    default:
      kept += begun
      begun = []
      return false
    }
  }
}
