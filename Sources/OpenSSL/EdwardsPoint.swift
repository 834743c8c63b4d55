/// Public keys of Ed25519 and Ed448 (RFC 8032) under which a signature can be valid for every message.
///
/// OpenSSL accepts them. Refused is what libsodium refuses: points whose order divides the cofactor, and encodings
/// of a coordinate that is not less than the field's prime.
enum EdwardsPoint {
  /// Whether an encoded point must not be a public key.
  static func isWeak(ed25519 point: [UInt8]) -> Bool {
    let y = coordinate(point)
    return !isLess(y, ed25519Prime) || ed25519Weak.contains(y)
  }

  static func isWeak(ed448 point: [UInt8]) -> Bool {
    let y = coordinate(point)
    return !isLess(y, ed448Prime) || ed448Weak.contains(y)
  }

  /// The coordinate without the sign of the other one.
  private static func coordinate(_ point: [UInt8]) -> [UInt8] {
    var y = point
    if let last = y.popLast() { y.append(last & 0x7f) }
    return y
  }

  /// Compares two little-endian numbers of one length.
  private static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.reversed().lexicographicallyPrecedes(right.reversed())
  }

  /// 2^255 - 19.
  private static let ed25519Prime = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
  /// The coordinates of the eight points whose order divides 8: 0, 1, -1, and two of order 8.
  private static let ed25519Weak: [[UInt8]] = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + ed25519Prime.dropFirst(),
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98,
      0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc,
      0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67,
      0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03,
      0x7a,
    ],
  ]

  /// 2^448 - 2^224 - 1, in the 57 bytes of an encoded point.
  private static let ed448Prime =
    [UInt8](repeating: 0xff, count: 28) + [0xfe] + [UInt8](repeating: 0xff, count: 27) + [0]
  /// The coordinates of the points whose order divides 4: 0, 1 and -1.
  private static let ed448Weak: [[UInt8]] = [
    [UInt8](repeating: 0, count: 57), [1] + [UInt8](repeating: 0, count: 56),
    [0xfe] + ed448Prime.dropFirst(),
  ]
}
