internal import COpenSSL

/// The numbers of a public key, big-endian, as JWK writes them (RFC 7518 section 6, RFC 8037).
package enum PublicKeyParameters: Sendable, Hashable {
  case rsa(modulus: [UInt8], exponent: [UInt8])
  /// Coordinates of the curve's full length.
  case ec(EllipticCurve, x: [UInt8], y: [UInt8])
  case okp(OctetKeyCurve, x: [UInt8])
}

/// The curves of octet key pairs (RFC 8037).
package enum OctetKeyCurve: String, Sendable, Hashable, CaseIterable {
  case ed25519 = "Ed25519"
  case ed448 = "Ed448"
  case x25519 = "X25519"
  case x448 = "X448"

  var identifier: Int32 {
    switch self {
    case .ed25519: NID_ED25519
    case .ed448: NID_ED448
    case .x25519: NID_X25519
    case .x448: NID_X448
    }
  }
}

extension PublicKey {
  /// Makes a key from its numbers.
  package convenience init(_ parameters: PublicKeyParameters) throws(CryptoError) {
    switch parameters {
    case .rsa(let modulus, let exponent):
      try self.init(adopting: rsaKey(modulus: modulus, exponent: exponent))
    case .ec(let curve, let x, let y):
      try self.init(adopting: ecKey(curve: curve, x: x, y: y))
    case .okp(let curve, let x):
      try CryptoLibrary.begin()
      guard let key = crypto.EVP_PKEY_new_raw_public_key(curve.identifier, nil, x, x.count) else {
        throw CryptoError(draining: "make the \(curve.rawValue) key")
      }
      try self.init(adopting: key)
    }
  }

  package static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) -> PublicKey {
    try PublicKey(.rsa(modulus: modulus, exponent: exponent))
  }

  /// Makes a key from a point, which must be on the curve.
  package static func ec(
    curve: EllipticCurve, x: [UInt8], y: [UInt8]
  ) throws(CryptoError) -> PublicKey {
    try PublicKey(.ec(curve, x: x, y: y))
  }

  package static func okp(curve: OctetKeyCurve, x: [UInt8]) throws(CryptoError) -> PublicKey {
    try PublicKey(.okp(curve, x: x))
  }

  /// The numbers of the key; `nil` for a kind that JWK cannot express.
  package var parameters: PublicKeyParameters? {
    defer { ErrorQueue.clear() }
    switch kind {
    case .rsa:
      guard let modulus = number(OSSL_PKEY_PARAM_RSA_N),
        let exponent = number(OSSL_PKEY_PARAM_RSA_E)
      else { return nil }
      return .rsa(modulus: modulus, exponent: exponent)
    case .ec(let curve):
      guard let x = number(OSSL_PKEY_PARAM_EC_PUB_X, byteCount: curve.coordinateByteCount),
        let y = number(OSSL_PKEY_PARAM_EC_PUB_Y, byteCount: curve.coordinateByteCount)
      else { return nil }
      return .ec(curve, x: x, y: y)
    case .ed25519: return Self.rawPublicKey(of: raw).map { .okp(.ed25519, x: $0) }
    case .ed448: return Self.rawPublicKey(of: raw).map { .okp(.ed448, x: $0) }
    case .x25519: return Self.rawPublicKey(of: raw).map { .okp(.x25519, x: $0) }
    case .x448: return Self.rawPublicKey(of: raw).map { .okp(.x448, x: $0) }
    case .other: return nil
    }
  }

  private func number(_ name: String, byteCount: Int? = nil) -> [UInt8]? {
    keyNumber(of: raw, name, byteCount: byteCount)
  }

  static func rawPublicKey(of key: OpaquePointer) -> [UInt8]? {
    var count = 0
    guard crypto.EVP_PKEY_get_raw_public_key(key, nil, &count) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return crypto.EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 ? bytes : nil
  }
}

/// A number of an `EVP_PKEY`, by libcrypto's name.
func keyNumber(of key: OpaquePointer, _ name: String, byteCount: Int? = nil) -> [UInt8]? {
  var number: OpaquePointer?  // <BIGNUM>
  guard crypto.EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { return nil }
  defer { crypto.BN_free(number) }
  let count = byteCount ?? Int(crypto.BN_num_bits(number) + 7) / 8
  var bytes = [UInt8](repeating: 0, count: count)
  return crypto.BN_bn2binpad(number, &bytes, Int32(count)) == count ? bytes : nil
}

private func rsaKey(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) -> OpaquePointer {
  let operation = "make the RSA key"
  // Both numbers come from the network, and large ones take long.
  guard modulus.count <= 2048, exponent.count <= 8 else {
    throw CryptoError(operation, reasons: ["modulus or exponent is too large"])
  }
  try CryptoLibrary.begin()
  guard let n = crypto.BN_bin2bn(modulus, Int32(modulus.count), nil) else {
    throw CryptoError(draining: operation)
  }
  defer { crypto.BN_free(n) }
  guard let e = crypto.BN_bin2bn(exponent, Int32(exponent.count), nil) else {
    throw CryptoError(draining: operation)
  }
  defer { crypto.BN_free(e) }
  guard crypto.BN_is_odd(n) == 1, crypto.BN_is_odd(e) == 1, crypto.BN_is_one(e) == 0,
    crypto.BN_num_bits(n) >= 512
  else {
    throw CryptoError(operation, reasons: ["modulus or exponent is not one of RSA"])
  }
  guard let key = copenssl_rsa_key(n, e) else { throw CryptoError(draining: operation) }
  return key
}

private func ecKey(
  curve: EllipticCurve, x: [UInt8], y: [UInt8]
) throws(CryptoError) -> OpaquePointer {
  let operation = "make the \(curve.rawValue) key"
  guard x.count == curve.coordinateByteCount, y.count == x.count else {
    throw CryptoError(operation, reasons: ["a coordinate has the wrong length"])
  }
  try CryptoLibrary.begin()
  let point = [uncompressedPoint] + x + y
  guard let key = copenssl_ec_key(curve.group, point, point.count) else {
    throw CryptoError(draining: operation)
  }
  return key
}

/// The first byte of an uncompressed point (SEC 1 section 2.3.3).
private let uncompressedPoint: UInt8 = 4
