internal import COpenSSL

/// Digests of bytes in memory.
package enum Digest {
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, with: .sha256) }

  package static func sha256(_ text: String) -> [UInt8] { sha256(Array(text.utf8)) }

  package static func hash(_ bytes: [UInt8], with algorithm: DigestAlgorithm) -> [UInt8] {
    bytes.withUnsafeBytes { hash($0, with: algorithm) }
  }

  package static func hash(
    _ bytes: UnsafeRawBufferPointer, with algorithm: DigestAlgorithm
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { output, count in
      copenssl_digest(algorithm.method, bytes.baseAddress, bytes.count, output.baseAddress)
      count = algorithm.byteCount
    }
  }
}

/// Keyed digests (RFC 2104).
package enum HMAC {
  package static func authenticate(
    _ message: [UInt8], key: [UInt8], with algorithm: DigestAlgorithm
  ) -> [UInt8] {
    message.withUnsafeBytes { authenticate($0, key: key, with: algorithm) }
  }

  package static func authenticate(
    _ message: UnsafeRawBufferPointer, key: [UInt8], with algorithm: DigestAlgorithm
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { output, count in
      copenssl_hmac(
        algorithm.method, key, key.count, message.baseAddress, message.count, output.baseAddress)
      count = algorithm.byteCount
    }
  }
}
