internal import COpenSSL

extension PublicKey {
  /// Encrypts a short message, such as a key, with RSA OAEP (RFC 8017 section 7.1).
  package func encryptOAEP(
    _ message: [UInt8], _ digest: DigestAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    ErrorQueue.clear()
    guard case .rsa = kind, let context = crypto.EVP_PKEY_CTX_new_from_pkey(nil, raw, nil) else {
      throw CryptoError(draining: "encrypt with the \(kind) key")
    }
    defer { crypto.EVP_PKEY_CTX_free(context) }
    var count = 0
    guard crypto.EVP_PKEY_encrypt_init(context) == 1, setOAEP(of: context, digest),
      crypto.EVP_PKEY_encrypt(context, nil, &count, message, message.count) == 1
    else { throw CryptoError(draining: "encrypt with the \(kind) key") }
    var output = [UInt8](repeating: 0, count: count)
    guard crypto.EVP_PKEY_encrypt(context, &output, &count, message, message.count) == 1 else {
      throw CryptoError(draining: "encrypt with the \(kind) key")
    }
    return Array(output.prefix(count))
  }
}

extension PrivateKey {
  /// Decrypts what was encrypted with RSA OAEP; `nil` for anything else.
  package func decryptOAEP(_ ciphertext: [UInt8], _ digest: DigestAlgorithm) -> [UInt8]? {
    ErrorQueue.clear()
    defer { ErrorQueue.clear() }
    guard case .rsa = kind, let context = crypto.EVP_PKEY_CTX_new_from_pkey(nil, raw, nil) else {
      return nil
    }
    defer { crypto.EVP_PKEY_CTX_free(context) }
    var count = 0
    guard crypto.EVP_PKEY_decrypt_init(context) == 1, setOAEP(of: context, digest),
      crypto.EVP_PKEY_decrypt(context, nil, &count, ciphertext, ciphertext.count) == 1
    else { return nil }
    var output = [UInt8](repeating: 0, count: count)
    guard crypto.EVP_PKEY_decrypt(context, &output, &count, ciphertext, ciphertext.count) == 1
    else {
      return nil
    }
    return Array(output.prefix(count))
  }
}

/// RFC 7518 section 4.3: the same hash for the padding and its mask.
private func setOAEP(of context: OpaquePointer, _ digest: DigestAlgorithm) -> Bool {
  crypto.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
    && crypto.EVP_PKEY_CTX_set_rsa_oaep_md(context, digest.method) == 1
    && crypto.EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest.method) == 1
}
