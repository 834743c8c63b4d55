import Testing

@testable import OpenSSL

@Suite("Encryption")
struct EncryptionTests {
  /// RFC 3394 sections 4.1, 4.4 and 4.6.
  private static let wraps: [(key: String, content: String, wrapped: String)] = [
    (
      "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
      "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"
    ),
    (
      "000102030405060708090a0b0c0d0e0f1011121314151617",
      "00112233445566778899aabbccddeeff0001020304050607",
      "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"
    ),
    (
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f",
      "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"
    ),
  ]

  @Test("wraps keys as RFC 3394 does", arguments: wraps)
  func wrap(key: String, content: String, wrapped: String) throws {
    #expect(try AES.wrap(bytes(content), with: bytes(key)) == bytes(wrapped))
    #expect(AES.unwrap(bytes(wrapped), with: bytes(key)) == bytes(content))
    var changed = bytes(wrapped)
    changed[9] ^= 1
    #expect(AES.unwrap(changed, with: bytes(key)) == nil)
    #expect(AES.unwrap(Array(changed.dropLast()), with: bytes(key)) == nil)
    #expect(AES.unwrap([], with: bytes(key)) == nil)
  }

  @Test(
    "decrypts what it encrypted, and refuses anything else", arguments: [16, 24, 32],
    [0, 1, 16, 1000])
  func gcm(keyByteCount: Int, byteCount: Int) throws {
    let key = try Random.bytes(keyByteCount)
    let iv = try Random.bytes(12)
    let content = try Random.bytes(byteCount)
    let (ciphertext, tag) = try AES.seal(content, key: key, iv: iv, additional: [1, 2])
    let open = { (ciphertext, tag, key, iv, additional) in
      AES.open(ciphertext, tag: tag, key: key, iv: iv, additional: additional)
    }
    #expect(ciphertext.count == byteCount)
    #expect(open(ciphertext, tag, key, iv, [1, 2]) == content)
    #expect(open(ciphertext, tag, key, iv, [1, 3]) == nil)
    #expect(open(ciphertext + [0], tag, key, iv, [1, 2]) == nil)
    #expect(open(ciphertext, tag.map { $0 ^ 1 }, key, iv, [1, 2]) == nil)
    #expect(open(ciphertext, Array(tag.dropLast()), key, iv, [1, 2]) == nil)
    #expect(open(ciphertext, [], key, iv, [1, 2]) == nil)
    #expect(open(ciphertext, tag, key.map { $0 ^ 1 }, iv, [1, 2]) == nil)
    #expect(open(ciphertext, tag, key, iv + [0], [1, 2]) == nil)
    #expect(open(ciphertext, tag, key + [0], iv, [1, 2]) == nil)
  }

  /// The McGrew–Viega test case 4 of AES-GCM.
  @Test("seals as the test vectors of AES-GCM do")
  func gcmVector() throws {
    let sealed = try AES.seal(
      bytes(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449"
          + "a6b525b16aedf5aa0de657ba637b39"),
      key: bytes("feffe9928665731c6d6a8f9467308308"), iv: bytes("cafebabefacedbaddecaf888"),
      additional: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
    #expect(sealed.tag == bytes("5bc94fbc3221a5db94fae95ae7121a47"))
    #expect(sealed.ciphertext.prefix(4) == [0x42, 0x83, 0x1e, 0xc2])
  }

  @Test("chains blocks with padding", arguments: [16, 24, 32], [0, 15, 16, 17])
  func cbc(keyByteCount: Int, byteCount: Int) throws {
    let key = try Random.bytes(keyByteCount)
    let iv = try Random.bytes(16)
    let content = try Random.bytes(byteCount)
    let ciphertext = try AES.encryptCBC(content, key: key, iv: iv)
    #expect(ciphertext.count == (byteCount / 16 + 1) * 16)
    #expect(AES.decryptCBC(ciphertext, key: key, iv: iv) == content)
    #expect(AES.decryptCBC(Array(ciphertext.dropLast()), key: key, iv: iv) == nil)
    #expect(AES.decryptCBC([], key: key, iv: iv) == nil)
    #expect(AES.decryptCBC(ciphertext, key: key, iv: []) == nil)
  }

  /// RFC 7748 section 6.1, and RFC 8037 appendix A.6 with it.
  @Test("computes the shared secret of the X25519 example")
  func x25519() throws {
    let bob = try PrivateKey(
      der: bytes("302e020100300506032b656e04220420")
        + bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
    let alice = try PublicKey(
      .okp(.x25519, x: bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")))
    #expect(
      try bob.sharedSecret(with: alice)
        == bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
    let zero = try PublicKey(.okp(.x25519, x: [UInt8](repeating: 0, count: 32)))
    #expect(throws: CryptoError.self) { try bob.sharedSecret(with: zero) }
  }

  @Test(
    "computes the same secret on both sides",
    arguments: [KeyKind.ec(.p256), .ec(.p384), .ec(.p521), .x25519])
  func agreement(kind: KeyKind) throws {
    let one = try PrivateKey.generate(kind)
    let other = try PrivateKey.generate(kind)
    let secret = try one.sharedSecret(with: other.publicKey)
    #expect(try secret == other.sharedSecret(with: one.publicKey))
    if case .ec(let curve) = kind { #expect(secret.count == curve.coordinateByteCount) }
    let stranger = try PrivateKey.generate(kind == .x25519 ? .ec(.p256) : .x25519).publicKey
    #expect(throws: CryptoError.self) { try one.sharedSecret(with: stranger) }
  }

  @Test("decrypts OAEP with the same hash only", arguments: [DigestAlgorithm.sha1, .sha256])
  func oaep(digest: DigestAlgorithm) throws {
    let key = try PrivateKey.generate(.rsa(bits: 2048))
    let ciphertext = try key.publicKey.encryptOAEP([1, 2, 3], digest)
    #expect(key.decryptOAEP(ciphertext, digest) == [1, 2, 3])
    #expect(key.decryptOAEP(ciphertext, digest == .sha1 ? .sha256 : .sha1) == nil)
    #expect(key.decryptOAEP(Array(ciphertext.dropLast()), digest) == nil)
    let other = try PrivateKey.generate(.ec(.p256))
    #expect(other.decryptOAEP(ciphertext, digest) == nil)
    #expect(throws: CryptoError.self) { try other.publicKey.encryptOAEP([1], digest) }
    let large = [UInt8](repeating: 1, count: 256)
    #expect(throws: CryptoError.self) { try key.publicKey.encryptOAEP(large, digest) }
  }
}

private func bytes(_ hex: String) -> [UInt8] {
  stride(from: 0, to: hex.count, by: 2).compactMap { offset in
    let start = hex.index(hex.startIndex, offsetBy: offset)
    return UInt8(hex[start...].prefix(2), radix: 16)
  }
}
