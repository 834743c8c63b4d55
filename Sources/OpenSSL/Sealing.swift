internal import COpenSSL

/// What one guess of a passphrase costs (RFC 7914 section 2).
package struct ScryptCost: Sendable, Hashable {
  /// The number of iterations, a power of two.
  package let n: Int64
  /// The size of a block.
  package let r: Int64
  /// How many computations are independent.
  package let p: Int64

  package init(n: Int64, r: Int64, p: Int64) {
    self.n = n
    self.r = r
    self.p = p
  }

  /// 128 MiB and about half a second.
  package static let standard = ScryptCost(n: testN ?? 1 << 17, r: 8, p: 1)

  #if DEBUG
  /// What tests of the program ask for: they type a passcode thousands of times.
  private static let testN: Int64? = {
    guard let text = copenssl_variable("TEST_SCRYPT_N") else { return nil }
    return Int64(String(cString: text))
  }()
  #else
  private static let testN: Int64? = nil
  #endif

  /// As many computations of ``standard`` as this machine does in about half a second, at most eight.
  package static func calibrated() throws(CryptoError) -> ScryptCost {
    let start = ContinuousClock.now
    _ = try Sealing.seal([], with: [], purpose: "")
    let fitting = Duration.milliseconds(500) / start.duration(to: .now)
    return ScryptCost(n: standard.n, r: standard.r, p: Int64(min(8, max(1, fitting))))
  }

  /// Whether a document may ask for it: at most 1 GiB.
  var isAllowed: Bool {
    (2...(1 << 20)).contains(n) && n & (n - 1) == 0 && (1...16).contains(r)
      && (1...16).contains(p) && n * r <= 1 << 23
  }

  /// The memory that it needs, with what libcrypto adds.
  fileprivate var memory: UInt64 { UInt64(128 * r * (n + p + 2)) + (1 << 20) }
}

/// A secret that is encrypted under a passphrase: scrypt and AES-256-GCM.
package struct SealedSecret: Sendable, Hashable {
  package let cost: ScryptCost
  package let salt: [UInt8]
  package let iv: [UInt8]
  package let ciphertext: [UInt8]
  package let tag: [UInt8]

  package init(
    cost: ScryptCost, salt: [UInt8], iv: [UInt8], ciphertext: [UInt8], tag: [UInt8]
  ) {
    self.cost = cost
    self.salt = salt
    self.iv = iv
    self.ciphertext = ciphertext
    self.tag = tag
  }
}

package enum Sealing {
  /// Encrypts a secret with a new salt and a new IV; it opens for the same purpose only.
  package static func seal(
    _ secret: [UInt8], with passphrase: [UInt8], purpose: String, cost: ScryptCost = .standard
  ) throws(CryptoError) -> SealedSecret {
    let salt = try Random.bytes(16)
    let iv = try Random.bytes(12)
    let key = try key(passphrase, salt, cost)
    let (ciphertext, tag) = try AES.seal(
      secret, key: key, iv: iv, additional: Array(purpose.utf8))
    return SealedSecret(cost: cost, salt: salt, iv: iv, ciphertext: ciphertext, tag: tag)
  }

  /// Decrypts a secret; `nil` if the passphrase or the purpose is another, or a byte has changed.
  package static func open(
    _ sealed: SealedSecret, with passphrase: [UInt8], purpose: String
  ) throws(CryptoError) -> [UInt8]? {
    let key = try key(passphrase, sealed.salt, sealed.cost)
    return AES.open(
      sealed.ciphertext, tag: sealed.tag, key: key, iv: sealed.iv,
      additional: Array(purpose.utf8))
  }

  private static func key(
    _ passphrase: [UInt8], _ salt: [UInt8], _ cost: ScryptCost
  ) throws(CryptoError) -> [UInt8] {
    let operation = "derive a key from the passphrase"
    guard cost.isAllowed else {
      throw CryptoError(operation, reasons: ["the cost of scrypt is out of bounds"])
    }
    try CryptoLibrary.begin()
    var key = [UInt8](repeating: 0, count: 32)
    let isDerived = passphrase.withUnsafeBytes { passphrase in
      // Bytes of any value: a passphrase is not a C string.
      crypto.EVP_PBE_scrypt(
        passphrase.bindMemory(to: CChar.self).baseAddress, passphrase.count, salt, salt.count,
        UInt64(cost.n), UInt64(cost.r), UInt64(cost.p), cost.memory, &key, key.count) == 1
    }
    try require(isDerived, to: operation)
    return key
  }
}
