internal import COpenSSL

/// Verifies RSA PKCS #1 v1.5 signatures of one key whose exponent is 65537, as it usually is.
///
/// It takes fewer multiplications than libcrypto's own function: the last one multiplies s^65536,
/// which is in Montgomery form, by the signature itself, so that the result is not in that form.
/// Padding is not parsed: the whole encoded message is compared (RFC 8017 section 8.2.2).
// @unchecked: its owner uses it on one thread at a time.
final class RSAVerifier: @unchecked Sendable {
  private let modulus: OpaquePointer  // <BIGNUM>
  private let montgomery: OpaquePointer  // <BN_MONT_CTX>
  private let context: OpaquePointer  // <BN_CTX>
  private let signature: OpaquePointer  // <BIGNUM>
  private let power: OpaquePointer  // <BIGNUM>
  /// The encoded message, whose last bytes are those of the digest.
  private var expected: [UInt8]
  private let digestByteCount: Int

  /// Prepares a key; `nil` for an unusual one, which libcrypto must verify with.
  init?(key: OpaquePointer, _ digest: DigestAlgorithm) {
    guard keyNumber(of: key, OSSL_PKEY_PARAM_RSA_E, byteCount: nil) == [1, 0, 1],
      let number = keyNumber(of: key, OSSL_PKEY_PARAM_RSA_N, byteCount: nil),
      (256...1024).contains(number.count), let prefix = digest.infoPrefix,
      let context = BN_CTX_new()
    else { return nil }
    let numbers = [BN_bin2bn(number, Int32(number.count), nil), BN_new(), BN_new()]
    guard let modulus = numbers[0], let signature = numbers[1], let power = numbers[2],
      let montgomery = BN_MONT_CTX_new()
    else {
      for number in numbers { BN_free(number) }
      BN_CTX_free(context)
      return nil
    }
    self.modulus = modulus
    self.montgomery = montgomery
    self.context = context
    self.signature = signature
    self.power = power
    digestByteCount = digest.byteCount
    let end = prefix + [UInt8](repeating: 0, count: digest.byteCount)
    let padding = [UInt8](repeating: 0xFF, count: number.count - end.count - 3)
    expected = [0, 1] + padding + [0] + end
    // An even modulus has no Montgomery form.
    guard BN_MONT_CTX_set(montgomery, modulus, context) == 1 else { return nil }
  }

  deinit {
    BN_free(modulus)
    BN_free(signature)
    BN_free(power)
    BN_MONT_CTX_free(montgomery)
    BN_CTX_free(context)
  }

  /// Whether the key signed the digest.
  func verify(_ text: UnsafeRawBufferPointer, digest: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == expected.count, digest.count == digestByteCount,
      BN_bin2bn(text.bytes, Int32(text.count), signature) != nil,
      BN_cmp(signature, modulus) < 0,
      BN_to_montgomery(power, signature, montgomery, context) == 1
    else { return false }
    for _ in 0..<16 {
      guard BN_mod_mul_montgomery(power, power, power, montgomery, context) == 1 else {
        return false
      }
    }
    guard BN_mod_mul_montgomery(power, power, signature, montgomery, context) == 1 else {
      return false
    }
    let start = expected.count - digestByteCount
    for index in 0..<digestByteCount { expected[start + index] = digest[index] }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: expected.count) { output in
      BN_bn2binpad(power, output.baseAddress, Int32(output.count)) == output.count
        && output.elementsEqual(expected)
    }
  }
}

extension DigestAlgorithm {
  /// What stands before the digest in an encoded message (RFC 8017 section 9.2, note 1); `nil` for
  /// what signs no token.
  fileprivate var infoPrefix: [UInt8]? {
    let (sequence, number): (UInt8, UInt8)
    switch self {
    case .sha1: return nil
    case .sha256: (sequence, number) = (0x31, 1)
    case .sha384: (sequence, number) = (0x41, 2)
    case .sha512: (sequence, number) = (0x51, 3)
    }
    return [0x30, sequence, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
      + [number, 0x05, 0x00, 0x04, UInt8(byteCount)]
  }
}
