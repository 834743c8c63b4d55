internal import COpenSSL

/// Digests of bytes in memory.
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
    guard crypto.EVP_Digest(bytes, bytes.count, &digest, nil, algorithm.method, nil) == 1 else {
      throw CryptoError(draining: "compute a digest")
    }
    return digest
  }
}

/// Keyed digests (RFC 2104).
package enum HMAC {
  package static func authenticate(
    _ message: [UInt8], key: [UInt8], with algorithm: DigestAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    try CryptoLibrary.begin()
    var code = [UInt8](repeating: 0, count: algorithm.byteCount)
    guard let length = Int32(exactly: key.count),
      crypto.HMAC(
        algorithm.method, key, length, message, message.count, &code, nil) != nil
    else { throw CryptoError(draining: "compute an HMAC") }
    return code
  }
}
