internal import COpenSSL

/// A public key.
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

  /// Reads the first public key of a PEM text.
  package convenience init(pem: [UInt8]) throws(CryptoError) {
    guard let block = try PEM.blocks(pem).first(where: { $0.label == Self.label }) else {
      throw CryptoError("read the public key", reasons: ["the text contains no public key"])
    }
    try self.init(spki: block.bytes)
  }

  deinit { crypto.EVP_PKEY_free(raw) }

  /// The DER SubjectPublicKeyInfo.
  package var spki: [UInt8] { encodeDER { crypto.i2d_PUBKEY(raw, $0) } }
  package var pem: String { PEM.encode(spki, label: Self.label) }

  static let label = "PUBLIC KEY"
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
