import COpenSSL
import Primitives

// @unchecked: the EVP_PKEY is never changed after init, and libcrypto locks what it caches in it.
package final class PrivateKey: @unchecked Sendable {
  let raw: OpaquePointer  // <EVP_PKEY>
  package let kind: KeyKind

  /// Takes over an `EVP_PKEY`.
  init(adopting key: OpaquePointer) {
    raw = key
    kind = KeyKind(of: key)
  }

  /// Reads DER: PKCS #8, or the older form of RSA and EC keys; not encrypted.
  package convenience init(der: [UInt8]) throws(CryptoError) {
    try CryptoLibrary.begin()
    guard !isEncrypted(der) else { throw encrypted }
    let key = try decodeDER(der, as: "private key", releasing: { crypto.EVP_PKEY_free($0) }) {
      crypto.d2i_AutoPrivateKey(nil, &$0, $1)
    }
    self.init(adopting: key)
  }

  package static func generate(_ kind: KeyKind) throws(CryptoError) -> PrivateKey {
    let operation = "make a key pair of \(kind)"
    try CryptoLibrary.begin()
    let type = try require(generatedType(kind), to: operation)
    let context = try require(crypto.EVP_PKEY_CTX_new_from_name(nil, type, nil), to: operation)
    defer { crypto.EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    try require(
      crypto.EVP_PKEY_keygen_init(context) == 1 && setSize(of: context, to: kind)
        && crypto.EVP_PKEY_generate(context, &key) == 1, to: operation)
    let made = try require(key, to: operation)
    return PrivateKey(adopting: made)
  }

  deinit { crypto.EVP_PKEY_free(raw) }

  /// Runs the body with the `EVP_PKEY`, for a library that takes one.
  package func withHandle<Value>(_ body: (UnsafeMutableRawPointer) -> Value) -> Value {
    withExtendedLifetime(self) { body(UnsafeMutableRawPointer(raw)) }
  }

  package var publicKey: PublicKey {
    get throws(CryptoError) { try PublicKey(spki: encodeDER { crypto.i2d_PUBKEY(raw, $0) }) }
  }

  /// The key as DER PKCS #8, not encrypted: a secret.
  package var pkcs8: [UInt8] {
    guard let info = crypto.EVP_PKEY2PKCS8(raw) else {
      ErrorQueue.clear()
      return []
    }
    defer { crypto.PKCS8_PRIV_KEY_INFO_free(info) }
    return encodeDER { crypto.i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
  }

  /// The key as PEM PKCS #8, not encrypted: a secret.
  package var pem: String { PEM.encode(pkcs8, label: "PRIVATE KEY") }

  package static let labels: Set<String> = [
    "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY",
  ]

  /// Signs a message; an ECDSA signature is DER.
  package func sign(
    _ message: [UInt8], _ algorithm: SignatureAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    let operation = "sign with the \(kind) key"
    guard algorithm.fits(kind) else {
      throw CryptoError(operation, reasons: ["the algorithm is for another kind of key"])
    }
    ErrorQueue.clear()
    let context = try require(crypto.EVP_MD_CTX_new(), to: operation)
    defer { crypto.EVP_MD_CTX_free(context) }
    var settings: OpaquePointer?  // <EVP_PKEY_CTX>, owned by the context
    var count = 0
    try require(
      crypto.EVP_DigestSignInit(context, &settings, algorithm.digest?.method, nil, raw) == 1
        && setPadding(of: settings, for: algorithm)
        && crypto.EVP_DigestSign(context, nil, &count, message, message.count) == 1, to: operation)
    var signature = [UInt8](repeating: 0, count: count)
    try require(
      crypto.EVP_DigestSign(context, &signature, &count, message, message.count) == 1, to: operation
    )
    return Array(signature.prefix(count))
  }

  /// Reads the first private key of a PEM text; the passphrase opens an encrypted one.
  package convenience init(pem: [UInt8], passphrase: String? = nil) throws(CryptoError) {
    guard let block = try PEM.blocks(pem).first(where: { Self.labels.contains($0.label) }) else {
      throw CryptoError(Self.operation, reasons: ["the text contains no private key"])
    }
    try self.init(block: block, passphrase: passphrase)
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
    guard block.isEncrypted else {
      try self.init(der: block.bytes)
      return
    }
    guard let passphrase else { throw encrypted }
    guard !block.headers.isEmpty else {
      try self.init(encrypted: block.bytes, passphrase: passphrase, allowsLegacy: allowsLegacy)
      return
    }
    let input = try MemoryBIO(for: Self.operation)
    let text = PEM.encode(block.bytes, label: block.label, headers: block.headers)
    try require(input.write(Array(text.utf8)), to: Self.operation)
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
  convenience init(
    encrypted der: [UInt8], passphrase: String, allowsLegacy: Bool = false
  ) throws(CryptoError) {
    do {
      self.init(adopting: try Self.decrypted(der, passphrase, allowsLegacy))
    } catch {
      // Only what the old algorithms can read needs them.
      guard let key = try? Self.decrypted(der, passphrase, true) else { throw error }
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
    let info = try require(crypto.EVP_PKEY2PKCS8(raw), to: operation)
    defer { crypto.PKCS8_PRIV_KEY_INFO_free(info) }
    let method = try require(
      crypto.PKCS5_pbe2_set_iv(
        crypto.EVP_aes_256_cbc(), Self.rounds, nil, 0, nil, NID_hmacWithSHA256), to: operation)
    let length = Int32(clamping: passphrase.utf8.count)
    guard let encrypted = crypto.PKCS8_set0_pbe(passphrase, length, info, method) else {
      crypto.X509_ALGOR_free(method)
      throw CryptoError(draining: operation)
    }
    defer { crypto.X509_SIG_free(encrypted) }
    return PEM.encode(
      encodeDER { crypto.i2d_X509_SIG(encrypted, $0) }, label: "ENCRYPTED PRIVATE KEY")
  }

  private static let rounds: Int32 = 100_000

  /// The secret that two key pairs of one curve share (ECDH, RFC 7748), as long as a coordinate.
  package func sharedSecret(with peer: PublicKey) throws(CryptoError) -> [UInt8] {
    let operation = "agree on a key"
    ErrorQueue.clear()
    let context = try require(crypto.EVP_PKEY_CTX_new_from_pkey(nil, raw, nil), to: operation)
    defer { crypto.EVP_PKEY_CTX_free(context) }
    var count = 0
    try require(
      crypto.EVP_PKEY_derive_init(context) == 1
        && crypto.EVP_PKEY_derive_set_peer(context, peer.raw) == 1
        && crypto.EVP_PKEY_derive(context, nil, &count) == 1, to: operation)
    var secret = [UInt8](repeating: 0, count: count)
    try require(crypto.EVP_PKEY_derive(context, &secret, &count) == 1, to: operation)
    return Array(secret.prefix(count))
  }
}

private let encrypted = CryptoError(
  "read the private key", reasons: ["the key is encrypted"], kind: .encryptedKey)

/// Whether the bytes are an EncryptedPrivateKeyInfo (RFC 5958 section 3).
private func isEncrypted(_ der: [UInt8]) -> Bool {
  defer { ErrorQueue.clear() }
  return der.withUnsafeBufferPointer { buffer in
    var cursor = buffer.baseAddress
    guard let info = crypto.d2i_X509_SIG(nil, &cursor, buffer.count) else { return false }
    crypto.X509_SIG_free(info)
    return true
  }
}

private func generatedType(_ kind: KeyKind) -> String? {
  switch kind {
  case .rsa: "RSA"
  case .ec: "EC"
  case .ed25519: "ED25519"
  case .ed448: "ED448"
  case .x25519: "X25519"
  case .x448: "X448"
  case .other: nil
  }
}

private func setSize(of context: OpaquePointer, to kind: KeyKind) -> Bool {
  switch kind {
  case .rsa(let bits): crypto.EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(clamping: bits)) == 1
  case .ec(let curve): crypto.EVP_PKEY_CTX_set_group_name(context, curve.group) == 1
  default: true
  }
}
