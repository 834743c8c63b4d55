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

/// A context for many digests of one kind, which saves an allocation for each.
// @unchecked: its owner uses it on one thread at a time.
final class DigestContext: @unchecked Sendable {
  private let context: OpaquePointer  // <EVP_MD_CTX>
  private let algorithm: DigestAlgorithm

  init?(_ algorithm: DigestAlgorithm) {
    guard let context = EVP_MD_CTX_new() else { return nil }
    self.context = context
    self.algorithm = algorithm
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Writes the digest into a buffer of its size; `false` if libcrypto failed.
  func digest(_ bytes: UnsafeRawBufferPointer, to output: UnsafeMutablePointer<UInt8>?) -> Bool {
    EVP_DigestInit_ex2(context, algorithm.method, nil) == 1
      && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
      && EVP_DigestFinal_ex(context, output, nil) == 1
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
