import COpenSSL

package enum Digest {
  package static func sha256(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    try hash(bytes, with: .sha256)
  }

  package static func sha256(_ text: String) throws(CryptoError) -> [UInt8] {
    try sha256(Array(text.utf8))
  }

  package static func hash(
    _ bytes: [UInt8], with algorithm: DigestAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    try CryptoLibrary.begin()
    var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
    try require(
      crypto.EVP_Digest(bytes, bytes.count, &digest, nil, algorithm.method, nil) == 1,
      to: "compute a digest")
    return digest
  }
}

/// Keyed digests (RFC 2104).
package enum HMAC {
  package static func authenticate(
    _ message: [UInt8], key: [UInt8], with algorithm: DigestAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    let operation = "compute an HMAC"
    try CryptoLibrary.begin()
    let length = try require(Int32(exactly: key.count), to: operation)
    var code = [UInt8](repeating: 0, count: algorithm.byteCount)
    try require(
      crypto.HMAC(algorithm.method, key, length, message, message.count, &code, nil) != nil,
      to: operation)
    return code
  }
}

package enum DigestAlgorithm: Sendable, Hashable, CaseIterable {
  case sha1
  case sha256
  case sha384
  case sha512

  package var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The implementation, owned by the process: `<EVP_MD>`.
  var method: OpaquePointer? {
    switch self {
    case .sha1: FetchedMethod.sha1.raw
    case .sha256: FetchedMethod.sha256.raw
    case .sha384: FetchedMethod.sha384.raw
    case .sha512: FetchedMethod.sha512.raw
    }
  }
}

/// An `EVP_MD` that was looked up once; a lookup costs as much as a short digest.
// @unchecked: an EVP_MD does not change after it was fetched, and these are never freed.
private struct FetchedMethod: @unchecked Sendable {
  static let sha1 = FetchedMethod("SHA1")
  static let sha256 = FetchedMethod("SHA256")
  static let sha384 = FetchedMethod("SHA384")
  static let sha512 = FetchedMethod("SHA512")

  let raw: OpaquePointer?  // <EVP_MD>

  init(_ name: String) { raw = crypto.EVP_MD_fetch(nil, name, nil) }
}

/// How a message is signed.
package enum SignatureAlgorithm: Sendable, Hashable {
  /// RSASSA-PKCS1-v1_5.
  case rsaPKCS1(DigestAlgorithm)
  /// RSASSA-PSS, MGF1 with the same hash, a salt as long as the digest.
  case rsaPSS(DigestAlgorithm)
  /// ECDSA; signatures are DER, see ``ECDSASignature`` for the other form.
  case ecdsa(DigestAlgorithm)
  /// Ed25519 or Ed448, as the key says.
  case eddsa

  var digest: DigestAlgorithm? {
    switch self {
    case .rsaPKCS1(let digest), .rsaPSS(let digest), .ecdsa(let digest): digest
    case .eddsa: nil
    }
  }

  package func fits(_ kind: KeyKind) -> Bool {
    switch (self, kind) {
    case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.ecdsa, .ec), (.eddsa, .ed25519), (.eddsa, .ed448):
      true
    default: false
    }
  }
}

/// Random bytes for secrets.
package enum Random {
  package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    try CryptoLibrary.begin()
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    try require(
      bytes.isEmpty || crypto.RAND_priv_bytes_ex(nil, &bytes, bytes.count, 0) == 1,
      to: "make random bytes")
    return bytes
  }
}

/// Comparison in a time that does not depend on the bytes.
package enum ConstantTime {
  /// Whether both hold the same bytes; their lengths are not hidden.
  package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && (try? CryptoLibrary.begin()) != nil
      && crypto.CRYPTO_memcmp(a, b, a.count) == 0
  }

  /// Whether both texts have the same bytes; their lengths are not hidden.
  package static func equal(_ a: String, _ b: String) -> Bool {
    equal(Array(a.utf8), Array(b.utf8))
  }
}
