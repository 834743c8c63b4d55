internal import OpenSSL

extension JWEEncryption {
  /// Encrypts (RFC 7518 sections 5.2.2.1 and 5.3).
  func seal(
    _ plaintext: [UInt8], key: [UInt8], iv: [UInt8], additional: [UInt8]
  ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
    guard let digest else {
      return try AES.seal(plaintext, key: key, iv: iv, additional: additional)
    }
    let half = key.count / 2
    let ciphertext = try AES.encryptCBC(plaintext, key: Array(key[half...]), iv: iv)
    return (ciphertext, try mac(of: ciphertext, key: Array(key[..<half]), iv, additional, digest))
  }

  /// Decrypts; `nil` for anything that was not encrypted with this key.
  func open(
    _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], iv: [UInt8], additional: [UInt8]
  ) -> [UInt8]? {
    guard key.count == keyByteCount, iv.count == ivByteCount else { return nil }
    guard let digest else {
      return AES.open(ciphertext, tag: tag, key: key, iv: iv, additional: additional)
    }
    let half = key.count / 2
    // Before decryption: a padding oracle would reveal the plaintext.
    guard let expected = try? mac(of: ciphertext, key: Array(key[..<half]), iv, additional, digest),
      ConstantTime.equal(expected, tag)
    else { return nil }
    return AES.decryptCBC(ciphertext, key: Array(key[half...]), iv: iv)
  }

  private func mac(
    of ciphertext: [UInt8], key: [UInt8], _ iv: [UInt8], _ additional: [UInt8],
    _ digest: DigestAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    let bits = bigEndian(UInt64(additional.count) * 8)
    let code = try HMAC.authenticate(additional + iv + ciphertext + bits, key: key, with: digest)
    return Array(code.prefix(key.count))
  }
}

/// A number as bytes, the most significant first.
func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
