internal import COpenSSL

/// A private key with its public half.
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

  /// Reads the first private key of a PEM text, which must not be encrypted.
  package convenience init(pem: [UInt8]) throws(CryptoError) {
    try self.init(block: try Self.block(of: pem))
  }

  /// The block of the first private key of a PEM text.
  static func block(of pem: [UInt8]) throws(CryptoError) -> PEMBlock {
    guard let block = try PEM.blocks(pem).first(where: { labels.contains($0.label) }) else {
      throw CryptoError("read the private key", reasons: ["the text contains no private key"])
    }
    return block
  }

  convenience init(block: PEMBlock) throws(CryptoError) {
    guard !block.isEncrypted else { throw encrypted }
    try self.init(der: block.bytes)
  }

  /// Makes a new key pair.
  package static func generate(_ kind: KeyKind) throws(CryptoError) -> PrivateKey {
    let operation = "make a key pair of \(kind)"
    try CryptoLibrary.begin()
    guard let type = generatedType(kind),
      let context = crypto.EVP_PKEY_CTX_new_from_name(nil, type, nil)
    else { throw CryptoError(draining: operation) }
    defer { crypto.EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard crypto.EVP_PKEY_keygen_init(context) == 1, setSize(of: context, to: kind),
      crypto.EVP_PKEY_generate(context, &key) == 1, let key
    else { throw CryptoError(draining: operation) }
    return PrivateKey(adopting: key)
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

  /// The PEM labels of private keys, encrypted ones too.
  package static let labels: Set<String> = [
    "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY",
  ]
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
