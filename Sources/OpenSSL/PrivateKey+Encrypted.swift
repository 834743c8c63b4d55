internal import COpenSSL
internal import Primitives

extension PrivateKey {
  /// Reads the first private key of a PEM text; the passphrase opens an encrypted one.
  ///
  /// - Throws: ``CryptoError`` as ``init(block:passphrase:)``.
  package convenience init(pem: [UInt8], passphrase: String?) throws(CryptoError) {
    try self.init(block: try Self.block(of: pem), passphrase: passphrase)
  }

  /// Reads a private key; the passphrase opens one that is encrypted as PKCS #8 or as the format
  /// before it.
  ///
  /// `allowsLegacy` allows old algorithms in PKCS #8.
  ///
  /// - Throws: ``CryptoError`` of the kind ``CryptoError/Kind/encryptedKey`` for an encrypted key if
  ///   there is no passphrase, ``CryptoError/Kind/wrongPassword`` if it is wrong,
  ///   ``CryptoError/Kind/legacyAlgorithm`` if old algorithms must be allowed, and
  ///   ``CryptoError/Kind/costly`` if it needs too many iterations.
  convenience init(
    block: PEMBlock, passphrase: String?, allowsLegacy: Bool = false
  ) throws(CryptoError) {
    guard block.isEncrypted, let passphrase else {
      try self.init(block: block)
      return
    }
    guard !block.headers.isEmpty else {
      try self.init(encrypted: block.bytes, passphrase: passphrase, allowsLegacy: allowsLegacy)
      return
    }
    let input = try MemoryBIO(for: Self.operation)
    let text = PEM.encode(block.bytes, label: block.label, headers: block.headers)
    guard input.write(Array(text.utf8)) else { throw CryptoError(draining: Self.operation) }
    var bytes = passphrase.utf8CString.map { $0 }
    // Without callback, libcrypto takes the last argument as the passphrase.
    let key = crypto.PEM_read_bio_PrivateKey(input.raw, nil, nil, &bytes)
    ErrorQueue.clear()
    guard let key else { throw Self.wrongPassphrase }
    self.init(adopting: key)
  }

  /// Refuses a file whose keys need too many iterations of a passphrase together.
  static func requireAffordable(_ blocks: [PEMBlock]) throws(CryptoError) {
    try CryptoLibrary.begin()
    let rounds = blocks.filter { $0.isEncrypted && $0.headers.isEmpty }.reduce(Int64(0)) {
      $0.addingClamped(copenssl_key_rounds($1.bytes, $1.bytes.count))
    }
    ErrorQueue.clear()
    guard rounds <= COPENSSL_MAXIMUM_ROUNDS else { throw .costly(operation) }
  }

  /// Decrypts an EncryptedPrivateKeyInfo (RFC 5958 section 3).
  ///
  /// - Throws: ``CryptoError`` as ``init(block:passphrase:)``.
  convenience init(
    encrypted der: [UInt8], passphrase: String, allowsLegacy: Bool = false
  ) throws(CryptoError) {
    do {
      self.init(adopting: try Self.decrypted(der, passphrase, allowsLegacy))
    } catch {
      // Only what the old algorithms can read needs them.
      guard !allowsLegacy, error.kind == .wrongPassword,
        let key = try? Self.decrypted(der, passphrase, true)
      else { throw error }
      crypto.EVP_PKEY_free(key)
      throw .legacy(Self.operation)
    }
  }

  private static func decrypted(
    _ der: [UInt8], _ passphrase: String, _ allowsLegacy: Bool
  ) throws(CryptoError) -> OpaquePointer {
    try CryptoLibrary.begin()
    var key: OpaquePointer?
    let result = copenssl_decrypt_key(
      der, der.count, passphrase, allowsLegacy ? 1 : 0, &key)
    ErrorQueue.clear()
    if let key { return key }
    throw switch result {
    case COPENSSL_PKCS12_COSTLY: CryptoError.costly(operation)
    case COPENSSL_PKCS12_NO_LEGACY: CryptoError.withoutLegacy(operation)
    default: wrongPassphrase
    }
  }

  private static let operation = "read the private key"
  private static let wrongPassphrase = CryptoError(
    operation, reasons: ["the passphrase is wrong, or the key is damaged"], kind: .wrongPassword)

  /// The key as PEM PKCS #8, encrypted with AES-256-CBC under PBKDF2.
  package func encryptedPEM(passphrase: String) throws(CryptoError) -> String {
    let operation = "encrypt the private key"
    ErrorQueue.clear()
    guard let info = crypto.EVP_PKEY2PKCS8(raw) else { throw CryptoError(draining: operation) }
    defer { crypto.PKCS8_PRIV_KEY_INFO_free(info) }
    guard
      let method = crypto.PKCS5_pbe2_set_iv(
        crypto.EVP_aes_256_cbc(), Self.rounds, nil, 0, nil, NID_hmacWithSHA256)
    else { throw CryptoError(draining: operation) }
    let length = Int32(clamping: passphrase.utf8.count)
    guard let encrypted = crypto.PKCS8_set0_pbe(passphrase, length, info, method) else {
      crypto.X509_ALGOR_free(method)
      throw CryptoError(draining: operation)
    }
    defer { crypto.X509_SIG_free(encrypted) }
    return PEM.encode(
      encodeDER { crypto.i2d_X509_SIG(encrypted, $0) }, label: "ENCRYPTED PRIVATE KEY")
  }

  /// The iterations of PBKDF2.
  private static let rounds: Int32 = 100_000
}
