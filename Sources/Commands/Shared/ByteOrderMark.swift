extension [UInt8] {
  /// The text without a byte order mark, which some servers and editors write (RFC 8259 section 8.1).
  var withoutByteOrderMark: [UInt8] {
    starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
  }
}
