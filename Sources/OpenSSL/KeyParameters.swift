import COpenSSL

/// The numbers of a private key, big-endian, as JWK writes them (RFC 7518 section 6, RFC 8037).
package enum PrivateKeyParameters: Sendable {
  case rsa(RSANumbers)
  case ec(EllipticCurve, x: [UInt8], y: [UInt8], d: [UInt8])
  case okp(OctetKeyCurve, x: [UInt8], d: [UInt8])
}

/// The numbers of a private RSA key (RFC 8017 section 3.2).
package struct RSANumbers: Sendable {
  package var n, e, d, p, q, dp, dq, qi: [UInt8]

  package init(
    n: [UInt8], e: [UInt8], d: [UInt8], p: [UInt8], q: [UInt8], dp: [UInt8], dq: [UInt8],
    qi: [UInt8]
  ) {
    self.n = n
    self.e = e
    self.d = d
    self.p = p
    self.q = q
    self.dp = dp
    self.dq = dq
    self.qi = qi
  }
}

extension PrivateKey {
  /// Makes a key from its numbers, which must be those of one key.
  package convenience init(_ parameters: PrivateKeyParameters) throws(CryptoError) {
    switch parameters {
    case .rsa(let numbers):
      // It bounds the numbers, which may come from anywhere.
      _ = try PublicKey(.rsa(modulus: numbers.n, exponent: numbers.e))
      let all = [
        [0], numbers.n, numbers.e, numbers.d, numbers.p, numbers.q, numbers.dp, numbers.dq,
        numbers.qi,
      ]
      try self.init(checking: DERWriter.sequence(all.map(DERWriter.integer)))
    case .ec(let curve, let x, let y, let d):
      _ = try PublicKey(.ec(curve, x: x, y: y))
      guard d.count == curve.coordinateByteCount else { throw wrongLength }
      try self.init(
        checking: DERWriter.sequence([
          DERWriter.integer([1]), DERWriter.octets(d),
          DERWriter.explicit(0, curve.objectIdentifier),
          DERWriter.explicit(1, DERWriter.bits([4] + x + y)),
        ]))
    case .okp(let curve, let x, let d):
      try CryptoLibrary.begin()
      let key = try require(
        crypto.EVP_PKEY_new_raw_private_key(curve.identifier, nil, d, d.count), to: reading)
      self.init(adopting: key)
      guard try publicKey.parameters == .okp(curve, x: x) else {
        throw CryptoError(reading, reasons: ["the public key does not belong to the private one"])
      }
    }
  }

  private convenience init(checking der: [UInt8]) throws(CryptoError) {
    try self.init(der: der)
    ErrorQueue.clear()
    let context = try require(crypto.EVP_PKEY_CTX_new_from_pkey(nil, raw, nil), to: reading)
    defer { crypto.EVP_PKEY_CTX_free(context) }
    // Curves of Montgomery and Edwards are compared by the caller.
    if case .ec = kind {} else if case .rsa = kind {} else { return }
    try require(crypto.EVP_PKEY_pairwise_check(context) == 1, to: reading)
  }

  /// The numbers of the key, which are secret; `nil` for a kind that JWK cannot express.
  package var parameters: PrivateKeyParameters? {
    defer { ErrorQueue.clear() }
    guard let publicKey = try? publicKey, let numbers = publicKey.parameters else { return nil }
    switch numbers {
    case .rsa(let modulus, let exponent):
      let number = { keyNumber(of: self.raw, $0) }
      guard let d = number(OSSL_PKEY_PARAM_RSA_D), let p = number("rsa-factor1"),
        let q = number("rsa-factor2"), let dp = number("rsa-exponent1"),
        let dq = number("rsa-exponent2"), let qi = number("rsa-coefficient1")
      else { return nil }
      return .rsa(RSANumbers(n: modulus, e: exponent, d: d, p: p, q: q, dp: dp, dq: dq, qi: qi))
    case .ec(let curve, let x, let y):
      let count = curve.coordinateByteCount
      return keyNumber(of: raw, OSSL_PKEY_PARAM_PRIV_KEY, byteCount: count)
        .map { .ec(curve, x: x, y: y, d: $0) }
    case .okp(let curve, let x):
      var count = x.count
      var bytes = [UInt8](repeating: 0, count: count)
      let isRead = crypto.EVP_PKEY_get_raw_private_key(raw, &bytes, &count) == 1
      return isRead ? .okp(curve, x: x, d: bytes) : nil
    }
  }
}

private let reading = "read the private key"

private let wrongLength = CryptoError(reading, reasons: ["a number has the wrong length"])

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
  /// Makes a key from its numbers; a point must be on its curve.
  package convenience init(_ parameters: PublicKeyParameters) throws(CryptoError) {
    switch parameters {
    case .rsa(let modulus, let exponent):
      try self.init(adopting: rsaKey(modulus: modulus, exponent: exponent))
    case .ec(let curve, let x, let y):
      try self.init(adopting: ecKey(curve: curve, x: x, y: y))
    case .okp(let curve, let x):
      try CryptoLibrary.begin()
      let key = try require(
        crypto.EVP_PKEY_new_raw_public_key(curve.identifier, nil, x, x.count),
        to: "make the \(curve.rawValue) key")
      try self.init(adopting: key)
    }
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
    // The longest are those of Ed448.
    var count = 57
    var bytes = [UInt8](repeating: 0, count: count)
    let isRead = crypto.EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1
    return isRead ? Array(bytes.prefix(count)) : nil
  }
}

/// A number of an `EVP_PKEY`, by libcrypto's name.
func keyNumber(of key: OpaquePointer, _ name: String, byteCount: Int? = nil) -> [UInt8]? {
  var number: OpaquePointer?  // <BIGNUM>
  // Without success, there is no number.
  _ = crypto.EVP_PKEY_get_bn_param(key, name, &number)
  guard let number else { return nil }
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
  let n = try require(crypto.BN_bin2bn(modulus, Int32(modulus.count), nil), to: operation)
  defer { crypto.BN_free(n) }
  let e = try require(crypto.BN_bin2bn(exponent, Int32(exponent.count), nil), to: operation)
  defer { crypto.BN_free(e) }
  guard crypto.BN_is_odd(n) == 1, crypto.BN_is_odd(e) == 1, crypto.BN_is_one(e) == 0,
    crypto.BN_num_bits(n) >= 512
  else {
    throw CryptoError(operation, reasons: ["modulus or exponent is not one of RSA"])
  }
  let key = try require(copenssl_rsa_key(n, e), to: operation)
  return key
}

private func ecKey(
  curve: EllipticCurve, x: [UInt8], y: [UInt8]
) throws(CryptoError) -> OpaquePointer {
  let operation = "make the \(curve.rawValue) key"
  guard x.count == curve.coordinateByteCount else {
    throw CryptoError(operation, reasons: ["a coordinate has the wrong length"])
  }
  try CryptoLibrary.begin()
  let point = [uncompressedPoint] + x + y
  let key = try require(copenssl_ec_key(curve.group, point, point.count), to: operation)
  return key
}

/// The first byte of an uncompressed point (SEC 1 section 2.3.3).
private let uncompressedPoint: UInt8 = 4
