internal import COpenSSL

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
  /// Makes a key from its numbers.
  ///
  /// - Throws: ``CryptoError`` if the numbers are not those of one key.
  package convenience init(_ parameters: PrivateKeyParameters) throws(CryptoError) {
    switch parameters {
    case .rsa(let numbers):
      // It bounds the numbers, which may come from anywhere.
      _ = try PublicKey.rsa(modulus: numbers.n, exponent: numbers.e)
      let all = [
        [0], numbers.n, numbers.e, numbers.d, numbers.p, numbers.q, numbers.dp, numbers.dq,
        numbers.qi,
      ]
      try self.init(checking: DERWriter.sequence(all.map(DERWriter.integer)))
    case .ec(let curve, let x, let y, let d):
      _ = try PublicKey.ec(curve: curve, x: x, y: y)
      guard d.count == curve.coordinateByteCount else { throw wrongLength }
      try self.init(
        checking: DERWriter.sequence([
          DERWriter.integer([1]), DERWriter.octets(d),
          DERWriter.explicit(0, curve.objectIdentifier),
          DERWriter.explicit(1, DERWriter.bits([4] + x + y)),
        ]))
    case .okp(let curve, let x, let d):
      guard d.count == x.count else { throw wrongLength }
      let algorithm = DERWriter.sequence([curve.objectIdentifier])
      let key = DERWriter.octets(DERWriter.octets(d))
      try self.init(
        checking: DERWriter.sequence([DERWriter.integer([0]), algorithm, key]))
      guard try publicKey.parameters == .okp(curve, x: x) else {
        throw CryptoError(reading, reasons: ["the public key does not belong to the private one"])
      }
    }
  }

  private convenience init(checking der: [UInt8]) throws(CryptoError) {
    try self.init(der: der)
    ErrorQueue.clear()
    guard let context = crypto.EVP_PKEY_CTX_new_from_pkey(nil, raw, nil) else {
      throw CryptoError(draining: reading)
    }
    defer { crypto.EVP_PKEY_CTX_free(context) }
    // Curves of Montgomery and Edwards are compared by the caller.
    if case .ec = kind {} else if case .rsa = kind {} else { return }
    guard crypto.EVP_PKEY_pairwise_check(context) == 1 else { throw CryptoError(draining: reading) }
  }

  /// The numbers of the key, which are secret; `nil` for a kind that JWK cannot express.
  package var parameters: PrivateKeyParameters? {
    defer { ErrorQueue.clear() }
    guard let publicKey = try? publicKey, let numbers = publicKey.parameters else { return nil }
    switch numbers {
    case .rsa(let modulus, let exponent):
      let names = [
        OSSL_PKEY_PARAM_RSA_D, "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2",
        "rsa-coefficient1",
      ]
      let values = names.compactMap { keyNumber(of: raw, $0) }
      guard values.count == names.count else { return nil }
      return .rsa(
        RSANumbers(
          n: modulus, e: exponent, d: values[0], p: values[1], q: values[2], dp: values[3],
          dq: values[4], qi: values[5]))
    case .ec(let curve, let x, let y):
      let count = curve.coordinateByteCount
      return keyNumber(of: raw, OSSL_PKEY_PARAM_PRIV_KEY, byteCount: count)
        .map { .ec(curve, x: x, y: y, d: $0) }
    case .okp(let curve, let x):
      var count = x.count
      var bytes = [UInt8](repeating: 0, count: count)
      guard crypto.EVP_PKEY_get_raw_private_key(raw, &bytes, &count) == 1, count == x.count else {
        return nil
      }
      return .okp(curve, x: x, d: bytes)
    }
  }
}

private let reading = "read the private key"

private let wrongLength = CryptoError(reading, reasons: ["a number has the wrong length"])
