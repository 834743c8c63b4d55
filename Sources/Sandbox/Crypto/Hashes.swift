import CGnuTLS

/// SHA-256.
enum SHA256 {
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let code = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
    precondition(code == 0, "GnuTLS has SHA-256")
    return digest
  }
}

/// HMAC with SHA-256.
enum HMAC {
  static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    let status = gnutls_hmac_fast(
      GNUTLS_MAC_SHA256, key, key.count, bytes, bytes.count, &code)
    precondition(status == 0, "GnuTLS has HMAC")
    return code
  }
}

/// AES-256 in Galois counter mode, with nonces of 12 bytes and tags of 16.
enum AESGCM {
  /// The ciphertext with its tag.
  static func seal(
    _ bytes: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(GnuTLSError) -> [UInt8] {
    try run(key: key, count: bytes.count + 16) { handle, output, size in
      gnutls_aead_cipher_encrypt(
        handle, nonce, nonce.count, data, data.count, 16, bytes, bytes.count, output, size)
    }
  }

  /// The content of a ciphertext with its tag.
  static func open(
    _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(GnuTLSError) -> [UInt8] {
    try run(key: key, count: sealed.count) { handle, output, size in
      gnutls_aead_cipher_decrypt(
        handle, nonce, nonce.count, data, data.count, 16, sealed, sealed.count, output, size)
    }
  }

  private static func run(
    key: [UInt8], count: Int,
    _ call: (gnutls_aead_cipher_hd_t?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> Int32
  ) throws(GnuTLSError) -> [UInt8] {
    var handle: gnutls_aead_cipher_hd_t?
    try GnuTLSError.check(
      key.withDatum { gnutls_aead_cipher_init(&handle, GNUTLS_CIPHER_AES_256_GCM, &$0) })
    defer { gnutls_aead_cipher_deinit(handle) }
    var output = [UInt8](repeating: 0, count: max(count, 1))
    var size = output.count
    let code = output.withUnsafeMutableBytes { call(handle, $0.baseAddress, &size) }
    try GnuTLSError.check(code)
    return Array(output.prefix(size))
  }
}
