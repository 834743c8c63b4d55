internal import COpenSSL

/// The type of a key.
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
      self =
        groupName(of: key).flatMap(EllipticCurve.init(group:)).map(KeyKind.ec)
        ?? .other("EC")
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

private func groupName(of key: OpaquePointer) -> String? {
  var buffer = [CChar](repeating: 0, count: 80)
  var count = 0
  guard crypto.EVP_PKEY_get_group_name(key, &buffer, buffer.count, &count) == 1 else {
    ErrorQueue.clear()
    return nil
  }
  return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
