/// Takes out of remote text what would act on a terminal instead of being read.
///
/// Escape sequences lose their escape, and so become plain text; bytes come in
/// pieces, so the filter remembers a started two-byte control.
struct TerminalFilter {
  private var startsC1 = false

  mutating func visible(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count + 1)
    for byte in bytes {
      if startsC1 {
        startsC1 = false
        // U+0080 to U+009F are controls too.
        if (0x80...0x9F).contains(byte) { continue }
        kept.append(0xC2)
      }
      switch byte {
      case 0xC2: startsC1 = true
      case 0x09, 0x0A, 0x0D: kept.append(byte)
      case 0..<0x20, 0x7F: continue
      default: kept.append(byte)
      }
    }
    return kept
  }
}
