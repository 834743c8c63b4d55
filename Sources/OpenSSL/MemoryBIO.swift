internal import COpenSSL

/// A memory BIO of libcrypto.
struct MemoryBIO: ~Copyable {
  let raw: OpaquePointer  // <BIO>

  /// An empty stream to write to.
  init(for operation: String) throws(CryptoError) {
    try CryptoLibrary.begin()
    guard let bio = crypto.BIO_new(crypto.BIO_s_mem()) else {
      throw CryptoError(draining: operation)
    }
    raw = bio
  }

  deinit { crypto.BIO_free_all(raw) }

  /// What was written.
  var bytes: [UInt8] {
    var count = 0
    let start = copenssl_bio_bytes(raw, &count)
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Appends bytes that will be read from it.
  func write(_ bytes: [UInt8]) -> Bool {
    var written = 0
    return bytes.isEmpty
      || (crypto.BIO_write_ex(raw, bytes, bytes.count, &written) == 1
        && written == bytes.count)
  }
}
