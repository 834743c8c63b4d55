extension Character {
  /// The columns of a terminal that it takes: two for East Asian characters and pictures.
  package var columns: Int {
    guard let scalar = unicodeScalars.first?.value, scalar >= 0x1100 else { return 1 }
    return Self.wide.contains { $0.contains(scalar) } ? 2 : 1
  }

  /// What Unicode Standard Annex 11 calls wide or full-width, in blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F680...0x1F6FF,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}

extension StringProtocol {
  /// The columns of a terminal that it takes.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}
