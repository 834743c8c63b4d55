import COpenSSL

package enum KeyKind: Sendable, Hashable, CustomStringConvertible {
  case rsa(bits: Int)
  case ec(EllipticCurve)
  case ed25519
  case ed448
  case x25519
  case x448
  /// A type that is only pinned, never used, by libcrypto's name.
  case other(String)

  /// Reads the kind of an `EVP_PKEY`.
  init(of key: OpaquePointer) {
    let name = crypto.EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
    switch name {
    case "RSA": self = .rsa(bits: Int(crypto.EVP_PKEY_get_bits(key)))
    case "EC":
      self = EllipticCurve(group: groupName(of: key)).map(KeyKind.ec) ?? .other("EC")
    case "ED25519": self = .ed25519
    case "ED448": self = .ed448
    case "X25519": self = .x25519
    case "X448": self = .x448
    default: self = .other(name)
    }
  }

  package var description: String {
    switch self {
    case .rsa(let bits): "RSA \(bits) bits"
    case .ec(let curve): "EC \(curve.rawValue)"
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    case .x25519: "X25519"
    case .x448: "X448"
    case .other(let name): name
    }
  }
}

/// The curves that tokens use, by their names in JWK (RFC 7518 section 6.2.1.1).
package enum EllipticCurve: String, Sendable, Hashable, CaseIterable {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"
  /// The curve of ES256K (RFC 8812), which is used only if the caller asks for it.
  case secp256k1 = "secp256k1"

  /// How many bytes a coordinate has, and each half of a signature.
  package var coordinateByteCount: Int {
    switch self {
    case .p256, .secp256k1: 32
    case .p384: 48
    case .p521: 66
    }
  }

  /// The name libcrypto gives the group.
  var group: String {
    switch self {
    case .p256: SN_X9_62_prime256v1
    case .p384: SN_secp384r1
    case .p521: SN_secp521r1
    case .secp256k1: SN_secp256k1
    }
  }

  init?(group: String) {
    guard let curve = Self.allCases.first(where: { $0.group == group || $0.rawValue == group })
    else { return nil }
    self = curve
  }
}

/// The name of the curve; empty for one that is given by its parameters.
private func groupName(of key: OpaquePointer) -> String {
  defer { ErrorQueue.clear() }
  var buffer = [CChar](repeating: 0, count: 80)
  var count = 0
  _ = crypto.EVP_PKEY_get_group_name(key, &buffer, buffer.count, &count)
  return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

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
