internal import COpenSSL

/// Random bytes for secrets.
package enum Random {
  package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    try CryptoLibrary.begin()
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    guard bytes.isEmpty || crypto.RAND_priv_bytes_ex(nil, &bytes, bytes.count, 0) == 1 else {
      throw CryptoError(draining: "make random bytes")
    }
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
