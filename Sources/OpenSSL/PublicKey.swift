import COpenSSL

// @unchecked: the EVP_PKEY is never changed after init, and libcrypto locks what it caches in it.
package final class PublicKey: @unchecked Sendable {
  let raw: OpaquePointer  // <EVP_PKEY>
  package let kind: KeyKind
  package let signatureByteCount: Int

  /// Takes over an `EVP_PKEY`; it is freed also when this throws.
  init(adopting key: OpaquePointer) throws(CryptoError) {
    kind = KeyKind(of: key)
    guard !Self.isWeak(key, kind) else {
      crypto.EVP_PKEY_free(key)
      throw CryptoError("use the \(kind) key", reasons: ["everybody can sign for it"])
    }
    raw = key
    signatureByteCount = Int(crypto.EVP_PKEY_get_size(key))
  }

  private static func isWeak(_ key: OpaquePointer, _ kind: KeyKind) -> Bool {
    switch kind {
    case .ed25519: rawPublicKey(of: key).map { EdwardsPoint.isWeak(ed25519: $0) } ?? true
    case .ed448: rawPublicKey(of: key).map { EdwardsPoint.isWeak(ed448: $0) } ?? true
    default: false
    }
  }

  /// Reads a DER SubjectPublicKeyInfo that fills its bytes.
  package convenience init(spki: [UInt8]) throws(CryptoError) {
    let key = try decodeDER(spki, as: "public key", releasing: { crypto.EVP_PKEY_free($0) }) {
      crypto.d2i_PUBKEY(nil, &$0, $1)
    }
    try self.init(adopting: key)
  }

  /// Reads a DER RSAPublicKey that fills its bytes (RFC 8017 appendix A.1.1).
  package convenience init(pkcs1: [UInt8]) throws(CryptoError) {
    // rsaEncryption, 1.2.840.113549.1.1.1, with the parameter NULL.
    let algorithm: [UInt8] = [
      0x30, 13, 0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 0x05, 0,
    ]
    try self.init(spki: DERWriter.sequence([algorithm, DERWriter.bits(pkcs1)]))
  }

  deinit { crypto.EVP_PKEY_free(raw) }

  /// The DER SubjectPublicKeyInfo.
  package var spki: [UInt8] { encodeDER { crypto.i2d_PUBKEY(raw, $0) } }
  package var pem: String { PEM.encode(spki, label: Self.label) }

  static let label = "PUBLIC KEY"

  /// Whether this key made the signature of the message.
  ///
  /// An algorithm of another kind of key, a signature of another length and a
  /// failure inside libcrypto all mean `false`.
  package func verify(
    signature: [UInt8], message: [UInt8], _ algorithm: SignatureAlgorithm
  ) -> Bool {
    signature.withUnsafeBytes { signature in
      message.withUnsafeBytes { verify(signature: signature, message: $0, algorithm) }
    }
  }

  package func verify(
    signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer,
    _ algorithm: SignatureAlgorithm
  ) -> Bool {
    guard algorithm.fits(kind) else { return false }
    // RFC 8017 section 8: exactly as long as the modulus, with leading zeros.
    if case .rsa = kind, signature.count != signatureByteCount { return false }
    ErrorQueue.clear()
    defer { ErrorQueue.clear() }
    guard let context = crypto.EVP_MD_CTX_new() else { return false }
    defer { crypto.EVP_MD_CTX_free(context) }
    var settings: OpaquePointer?  // <EVP_PKEY_CTX>, owned by the context
    return crypto.EVP_DigestVerifyInit(context, &settings, algorithm.digest?.method, nil, raw) == 1
      && setPadding(of: settings, for: algorithm)
      && crypto.EVP_DigestVerify(
        context, signature.bytes, signature.count, message.bytes, message.count) == 1
  }

  /// Encrypts a short message, such as a key, with RSA OAEP (RFC 8017 section 7.1).
  package func encryptOAEP(
    _ message: [UInt8], _ digest: DigestAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    ErrorQueue.clear()
    let operation = "encrypt with the \(kind) key"
    guard case .rsa = kind, let context = crypto.EVP_PKEY_CTX_new_from_pkey(nil, raw, nil) else {
      throw CryptoError(draining: operation)
    }
    defer { crypto.EVP_PKEY_CTX_free(context) }
    var count = 0
    try require(
      crypto.EVP_PKEY_encrypt_init(context) == 1 && setOAEP(of: context, digest)
        && crypto.EVP_PKEY_encrypt(context, nil, &count, message, message.count) == 1, to: operation
    )
    var output = [UInt8](repeating: 0, count: count)
    try require(
      crypto.EVP_PKEY_encrypt(context, &output, &count, message, message.count) == 1, to: operation)
    return Array(output.prefix(count))
  }
}

extension PublicKey: Hashable {
  /// Two keys are equal if their numbers are, however a certificate encodes them.
  ///
  /// Equality and hash use the same definition: OpenSSL treats a point in compressed and in
  /// uncompressed form as the same key, although the encodings differ.
  private enum Identity: Hashable {
    case numbers(PublicKeyParameters)
    case encoding([UInt8])
  }

  private var identity: Identity {
    parameters.map { .numbers($0) } ?? .encoding(spki)
  }

  package static func == (left: PublicKey, right: PublicKey) -> Bool {
    left.identity == right.identity
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

func setPadding(of context: OpaquePointer?, for algorithm: SignatureAlgorithm) -> Bool {
  switch algorithm {
  case .rsaPKCS1: crypto.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
  case .rsaPSS(let digest):
    crypto.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
      && crypto.EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest.method) == 1
      && crypto.EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(digest.byteCount)) == 1
  case .ecdsa, .eddsa: true
  }
}

extension UnsafeRawBufferPointer {
  /// The start as a typed pointer for C.
  var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
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
    var count = Int(crypto.EVP_PKEY_get_size(raw))
    var output = [UInt8](repeating: 0, count: count)
    let isDecrypted =
      crypto.EVP_PKEY_decrypt_init(context) == 1 && setOAEP(of: context, digest)
      && crypto.EVP_PKEY_decrypt(context, &output, &count, ciphertext, ciphertext.count) == 1
    return isDecrypted ? Array(output.prefix(count)) : nil
  }
}

/// RFC 7518 section 4.3: the same hash for the padding and its mask.
private func setOAEP(of context: OpaquePointer, _ digest: DigestAlgorithm) -> Bool {
  crypto.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
    && crypto.EVP_PKEY_CTX_set_rsa_oaep_md(context, digest.method) == 1
    && crypto.EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest.method) == 1
}
