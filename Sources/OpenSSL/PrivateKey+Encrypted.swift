internal import COpenSSL

extension PrivateKey {
  /// Reads the first private key of a PEM text.
  ///
  /// The passphrase opens an encrypted key, of PKCS #8 or of the format before it.
  ///
  /// - Throws: ``CryptoError`` of the kind ``CryptoError/Kind/encryptedKey`` for an encrypted key if
  ///   there is no passphrase, and ``CryptoError/Kind/wrongPassword`` if it is wrong.
  package convenience init(pem: [UInt8], passphrase: String?) throws(CryptoError) {
    let blocks = try PEM.blocks(pem)
    guard let block = blocks.first(where: { Self.labels.contains($0.label) }),
      block.isEncrypted, let passphrase
    else {
      try self.init(pem: pem)
      return
    }
    let operation = "read the private key"
    ErrorQueue.clear()
    let input = try MemoryBIO(for: operation)
    guard input.write(pem) else { throw CryptoError(draining: operation) }
    var bytes = passphrase.utf8CString.map { $0 }
    // Without callback, libcrypto takes the last argument as the passphrase.
    guard let key = PEM_read_bio_PrivateKey(input.raw, nil, nil, &bytes) else {
      ErrorQueue.clear()
      throw CryptoError(
        operation, reasons: ["the passphrase is wrong, or the key is damaged"],
        kind: .wrongPassword)
    }
    ErrorQueue.clear()
    self.init(adopting: key)
  }

  /// The key as PEM PKCS #8, encrypted with AES-256-CBC under PBKDF2.
  package func encryptedPEM(passphrase: String) throws(CryptoError) -> String {
    let operation = "encrypt the private key"
    ErrorQueue.clear()
    guard let info = EVP_PKEY2PKCS8(raw) else { throw CryptoError(draining: operation) }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    guard
      let method = PKCS5_pbe2_set_iv(
        EVP_aes_256_cbc(), Self.rounds, nil, 0, nil, NID_hmacWithSHA256)
    else { throw CryptoError(draining: operation) }
    let length = Int32(clamping: passphrase.utf8.count)
    guard let encrypted = PKCS8_set0_pbe(passphrase, length, info, method) else {
      X509_ALGOR_free(method)
      throw CryptoError(draining: operation)
    }
    defer { X509_SIG_free(encrypted) }
    return PEM.encode(
      encodeDER { i2d_X509_SIG(encrypted, $0) }, label: "ENCRYPTED PRIVATE KEY")
  }

  /// The iterations of PBKDF2.
  private static let rounds: Int32 = 100_000
}
