package import OpenSSL

/// How an authenticator writes signatures and public keys: ECDSA on P-256 with SHA-256.
public enum AssertionEncoding: String, Sendable, Hashable, CaseIterable {
  /// DER: signature 0x02, key 0x101.
  case der
  /// Raw numbers: signature 0x01 (r and s, 32 bytes each), key 0x100 (`04`, X and Y).
  case raw

  /// The identifier of the signature (`ALG_SIGN_SECP256R1_ECDSA_SHA256_…`).
  package var signatureAlgorithm: UInt16 { self == .der ? 0x02 : 0x01 }

  /// The identifier of the key (`ALG_KEY_ECC_X962_…`).
  package var keyEncoding: UInt16 { self == .der ? 0x101 : 0x100 }

  package init?(signatureAlgorithm: UInt16, keyEncoding: UInt16? = nil) {
    let found = Self.allCases.first { encoding in
      encoding.signatureAlgorithm == signatureAlgorithm
        && (keyEncoding.map { encoding.keyEncoding == $0 } ?? true)
    }
    guard let found else { return nil }
    self = found
  }

  /// A public key of P-256 in this encoding, the same for every spelling of the key.
  ///
  /// - Throws: ``CryptoError`` for a key of another kind.
  package func encode(_ key: PublicKey) throws(CryptoError) -> [UInt8] {
    guard case .ec(.p256, let x, let y)? = key.parameters else {
      throw CryptoError("encode the public key", reasons: ["it is not of the curve P-256"])
    }
    return switch self {
    case .der: try PublicKey.ec(curve: .p256, x: x, y: y).spki
    case .raw: [0x04] + x + y
    }
  }

  /// Reads a public key of P-256.
  ///
  /// - Throws: ``CryptoError`` for anything else.
  package func key(_ bytes: [UInt8]) throws(CryptoError) -> PublicKey {
    switch self {
    case .der:
      let key = try PublicKey(spki: bytes)
      guard key.kind == .ec(.p256) else { throw Self.notAKey }
      return key
    case .raw:
      guard bytes.count == 65, bytes[0] == 0x04 else { throw Self.notAKey }
      return try PublicKey.ec(
        curve: .p256, x: Array(bytes[1..<33]), y: Array(bytes[33...]))
    }
  }

  /// Signs, and writes the signature in this encoding.
  package func sign(_ message: [UInt8], with key: PrivateKey) throws(CryptoError) -> [UInt8] {
    let der = try key.sign(message, .ecdsa(.sha256))
    guard let raw = ECDSASignature.raw(der: der, curve: .p256) else {
      throw CryptoError("sign", reasons: ["the key is not of the curve P-256"])
    }
    return self == .der ? der : raw
  }

  /// Whether the key made the signature.
  package func verify(signature: [UInt8], message: [UInt8], with key: PublicKey) -> Bool {
    let der = self == .der ? signature : ECDSASignature.der(raw: signature, curve: .p256)
    return der.map { key.verify(signature: $0, message: message, .ecdsa(.sha256)) } ?? false
  }

  private static let notAKey = CryptoError(
    "read the public key", reasons: ["it is not a key of the curve P-256"])
}
