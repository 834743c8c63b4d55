import TestSupport

@testable import OpenSSL

/// openssl signs forged encoded messages: a decryption without padding is the same operation.
@Suite("RSA PKCS #1 v1.5", .enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
struct RSASignatureTests {
  private static let message = Array("message".utf8)
  private static let info: [UInt8] = [
    0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
    0x00, 0x04, 0x20,
  ]
  /// The algorithm identifier without its parameters, which some verifiers accept.
  private static let infoWithoutNull: [UInt8] = [
    0x30, 0x2F, 0x30, 0x0B, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x04,
    0x20,
  ]

  private static func replacing(_ index: Int, by byte: UInt8) -> [UInt8] {
    var info = info
    info[index] = byte
    return info
  }

  private static func encoded(
    _ end: [UInt8], start: [UInt8] = [0, 1], fill: UInt8 = 0xFF
  ) -> [UInt8] {
    start + [UInt8](repeating: fill, count: 256 - start.count - 1 - end.count) + [0] + end
  }

  private static func sign(_ encoded: [UInt8], with tool: ForeignTool) throws -> [UInt8] {
    try tool.write("encoded", encoded)
    try tool.run(
      "openssl pkeyutl -decrypt -inkey key -in encoded -out signature "
        + "-pkeyopt rsa_padding_mode:none")
    return try tool.read("signature")
  }

  private static func verify(
    _ signature: [UInt8], _ message: [UInt8], _ key: PublicKey, _ digest: DigestAlgorithm = .sha256
  ) -> Bool {
    key.verify(signature: signature, message: message, .rsaPKCS1(digest))
  }

  @Test("only the one encoded message of a digest is accepted")
  func forged() throws {
    let tool = try ForeignTool()
    let key = try PrivateKey.generate(.rsa(bits: 2048))
    try tool.write("key", Array(key.pem.utf8))
    let hash = try Digest.sha256(Self.message)
    let short: [UInt8] = [0, 1] + [UInt8](repeating: 0xFF, count: 8) + [0] + Self.info + hash
    let rows: [(name: String, encoded: [UInt8], isValid: Bool)] = [
      ("as it must be", Self.encoded(Self.info + hash), true),
      ("another digest", Self.encoded(try Self.info + Digest.sha256([1])), false),
      ("without NULL", Self.encoded(Self.infoWithoutNull + hash), false),
      (
        "short padding, then garbage", short + [UInt8](repeating: 7, count: 256 - short.count),
        false
      ),
      ("block type 2", Self.encoded(Self.info + hash, start: [0, 2]), false),
      ("block type 0", Self.encoded(Self.info + hash, start: [0, 0], fill: 0), false),
      ("padding of other bytes", Self.encoded(Self.info + hash, fill: 0xFE), false),
      ("the digest alone", Self.encoded(hash), false),
      ("garbage before the digest", Self.encoded([1] + Self.info + hash), false),
      ("garbage behind the digest", Self.encoded(Self.info + hash + [0]), false),
      (
        "a length in the long form", Self.encoded([0x30, 0x81] + Self.info.dropFirst() + hash),
        false
      ),
      ("another hash function", Self.encoded(Self.replacing(14, by: 2) + hash), false),
      ("a shorter digest", Self.encoded(Self.replacing(18, by: 31) + hash.dropLast()), false),
      ("a longer NULL", Self.encoded(Self.replacing(16, by: 1) + [0] + hash), false),
      ("one 0xFF less", Self.encoded(Self.info + hash, start: [0, 1, 0xFF, 0xFE]), false),
    ]
    for row in rows {
      let signature = try Self.sign(row.encoded, with: tool)
      let isValid = try Self.verify(signature, Self.message, key.publicKey)
      #expect(isValid == row.isValid, "\(row.name)")
    }
  }

  @Test("a signature plus the modulus, which is the same number in its field, is refused")
  func range() throws {
    let key = try PrivateKey.generate(.rsa(bits: 2048))
    guard case .rsa(let modulus, _)? = try key.publicKey.parameters else {
      throw Unmet("not an RSA key")
    }
    var count = 0
    for number in 0..<200 where count < 3 {
      let message = Array("message \(number)".utf8)
      let signature = try key.sign(message, .rsaPKCS1(.sha256))
      #expect(try Self.verify(signature, message, key.publicKey))
      var (sum, carry) = ([UInt8](), 0)
      for (one, other) in zip(signature.reversed(), modulus.reversed()) {
        carry += Int(one) + Int(other)
        sum.append(UInt8(carry & 0xFF))
        carry >>= 8
      }
      guard carry == 0 else { continue }
      count += 1
      #expect(try !Self.verify(sum.reversed(), message, key.publicKey))
    }
    // About every third signature has room for the modulus.
    #expect(count > 0)
  }

  @Test(
    "keys of every size and of another exponent verify",
    arguments: [
      "-pkeyopt rsa_keygen_bits:2048", "-pkeyopt rsa_keygen_bits:2055",
      "-pkeyopt rsa_keygen_bits:3072", "-pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_pubexp:3",
      "-pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_pubexp:65539",
    ])
  func kinds(options: String) throws {
    let tool = try ForeignTool()
    try tool.run("openssl genpkey -algorithm RSA \(options) -out key")
    let key = try PrivateKey(pem: tool.read("key"))
    for digest in [DigestAlgorithm.sha256, .sha384, .sha512] {
      let signature = try key.sign(Self.message, .rsaPKCS1(digest))
      #expect(try Self.verify(signature, Self.message, key.publicKey, digest))
      #expect(try !Self.verify(signature, [1], key.publicKey, digest))
      #expect(try !Self.verify(signature.dropLast(), Self.message, key.publicKey, digest))
      #expect(try !Self.verify([0] + signature, Self.message, key.publicKey, digest))
      for index in [0, 100, signature.count - 1] {
        var changed = signature
        changed[index] ^= 1
        #expect(try !Self.verify(changed, Self.message, key.publicKey, digest))
      }
    }
  }

  @Test("no signature of zeros, of one, or of the modulus less one is valid")
  func trivial() throws {
    let key = try PrivateKey.generate(.rsa(bits: 2048)).publicKey
    guard case .rsa(let modulus, _)? = key.parameters else { throw Unmet("not an RSA key") }
    let zeros = [UInt8](repeating: 0, count: 256)
    for signature in [
      zeros, zeros.dropLast() + [1], modulus, modulus.dropLast() + [modulus[255] - 1],
      [UInt8](repeating: 0xFF, count: 256),
    ] {
      #expect(!Self.verify(signature, Self.message, key))
    }
  }
}
