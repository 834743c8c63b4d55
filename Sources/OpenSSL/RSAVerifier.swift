internal import COpenSSL

/// Verifies RSASSA-PKCS1-v1_5 signatures of one key whose public exponent is 65537.
///
/// It makes the encoded message that a signature of the digest must contain, and compares all of it
/// (RFC 8017 section 8.2.2). The power is computed by 18 of libcrypto's Montgomery multiplications,
/// where `EVP_PKEY_verify` needs 20 for an exponent of any form, and allocates memory for each
/// signature. Signatures and public keys are not secret, so the time may depend on them.
// Not for several threads at once: the numbers are used again.
final class RSAVerifier {
  private let context: OpaquePointer  // <BN_CTX>
  private let montgomery: OpaquePointer  // <BN_MONT_CTX>
  private let modulus: OpaquePointer  // <BIGNUM>
  private let signature: OpaquePointer  // <BIGNUM>
  private let power: OpaquePointer  // <BIGNUM>
  private let expected: OpaquePointer  // <BIGNUM>
  /// The encoded message, whose end is the digest.
  private var encoded: [UInt8]
  private let digestByteCount: Int

  /// Prepares a key; `nil` if it has another exponent, or for a digest that tokens do not use.
  init?(_ key: PublicKey, _ digest: DigestAlgorithm) {
    guard case .rsa(let modulus, exponent: [1, 0, 1])? = key.parameters,
      let encoded = encodedMessage(of: digest, byteCount: modulus.count),
      let context = BN_CTX_new()
    else { return nil }
    guard let montgomery = BN_MONT_CTX_new() else {
      BN_CTX_free(context)
      return nil
    }
    let numbers = [BN_bin2bn(modulus, Int32(modulus.count), nil), BN_new(), BN_new(), BN_new()]
      .compactMap { $0 }
    guard numbers.count == 4, BN_is_odd(numbers[0]) == 1,
      BN_MONT_CTX_set(montgomery, numbers[0], context) == 1
    else {
      numbers.forEach { BN_free($0) }
      BN_MONT_CTX_free(montgomery)
      BN_CTX_free(context)
      return nil
    }
    self.context = context
    self.montgomery = montgomery
    self.modulus = numbers[0]
    (signature, power, expected) = (numbers[1], numbers[2], numbers[3])
    self.encoded = encoded
    digestByteCount = digest.byteCount
  }

  deinit {
    for number in [modulus, signature, power, expected] { BN_free(number) }
    BN_MONT_CTX_free(montgomery)
    BN_CTX_free(context)
  }

  /// Whether the key made the signature, which must be as long as the modulus, of the digest.
  func verify(signature bytes: UnsafeRawBufferPointer, digest: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == encoded.count, digest.count == digestByteCount else { return false }
    encoded.withUnsafeMutableBufferPointer { encoded in
      let start = encoded.count - digestByteCount
      for index in 0..<digestByteCount { encoded[start + index] = digest[index] }
    }
    return BN_bin2bn(bytes.bytes, Int32(bytes.count), signature) != nil
      && BN_cmp(signature, modulus) < 0 && raise()
      && BN_bin2bn(encoded, Int32(encoded.count), expected) != nil
      && BN_cmp(power, expected) == 0
  }

  /// Sets the power to signature^65537 modulo the modulus.
  private func raise() -> Bool {
    // s·R; squared 16 times, s^65536·R; times s, s^65537. R is the factor of Montgomery's form,
    // and each multiplication removes one.
    guard BN_to_montgomery(power, signature, montgomery, context) == 1 else { return false }
    for _ in 0..<16 {
      guard BN_mod_mul_montgomery(power, power, power, montgomery, context) == 1 else {
        return false
      }
    }
    return BN_mod_mul_montgomery(power, power, signature, montgomery, context) == 1
  }
}

/// The encoded message of RFC 8017 section 9.2, with zeros for the digest.
private func encodedMessage(of digest: DigestAlgorithm, byteCount: Int) -> [UInt8]? {
  let algorithm: UInt8
  switch digest {
  case .sha1: return nil
  case .sha256: algorithm = 1
  case .sha384: algorithm = 2
  case .sha512: algorithm = 3
  }
  // 2.16.840.1.101.3.4.2.x with the parameter NULL.
  let identifier: [UInt8] = [
    0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, algorithm, 0x05, 0,
  ]
  let info = DERWriter.sequence([
    identifier, DERWriter.octets([UInt8](repeating: 0, count: digest.byteCount)),
  ])
  // At least eight bytes of padding.
  guard byteCount >= info.count + 11 else { return nil }
  return [0, 1] + [UInt8](repeating: 0xFF, count: byteCount - info.count - 3) + [0] + info
}
