package import OpenSSL

/// A tag of UAFV1TLV (FIDO UAF Registry of Predefined Values 1.1).
package enum TLVTag {
  package static let registrationAssertion: UInt16 = 0x3E01
  package static let authenticationAssertion: UInt16 = 0x3E02
  package static let keyRegistrationData: UInt16 = 0x3E03
  package static let signedData: UInt16 = 0x3E04
  package static let attestationCertificate: UInt16 = 0x2E05
  package static let signature: UInt16 = 0x2E06
  package static let attestationBasicFull: UInt16 = 0x3E07
  package static let attestationBasicSurrogate: UInt16 = 0x3E08
  package static let keyID: UInt16 = 0x2E09
  package static let finalChallengeHash: UInt16 = 0x2E0A
  package static let aaid: UInt16 = 0x2E0B
  package static let publicKey: UInt16 = 0x2E0C
  package static let counters: UInt16 = 0x2E0D
  package static let assertionInfo: UInt16 = 0x2E0E
  package static let nonce: UInt16 = 0x2E0F
  package static let transactionContentHash: UInt16 = 0x2E10
}

/// One element: a tag and a length of two bytes each, little-endian, and the value.
package struct TLV: Sendable, Hashable {
  package let tag: UInt16
  package let value: [UInt8]

  /// Makes an element; its value has at most 65535 bytes.
  package init(_ tag: UInt16, _ value: [UInt8]) throws(UAFError) {
    guard value.count <= Int(UInt16.max) else {
      throw .malformed("the element \(Self.name(tag)) has more than 65535 bytes")
    }
    self.tag = tag
    self.value = value
  }

  /// Makes an element of elements, in their order.
  package init(_ tag: UInt16, of elements: [TLV]) throws(UAFError) {
    try self.init(tag, elements.flatMap(\.encoded))
  }

  package var encoded: [UInt8] {
    tag.littleEndianBytes + UInt16(value.count).littleEndianBytes + value
  }

  /// A tag as the specification writes it.
  static func name(_ tag: UInt16) -> String {
    let digits = String(tag, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}

extension FixedWidthInteger {
  /// The bytes, the least significant one first.
  var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}

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

  /// A public key of P-256 in this encoding, the same for every spelling of the key.
  package func encode(_ key: PublicKey) throws(CryptoError) -> [UInt8] {
    guard case .ec(.p256, let x, let y)? = key.parameters else {
      throw CryptoError("encode the public key", reasons: ["it is not of the curve P-256"])
    }
    return switch self {
    case .der: try PublicKey(.ec(.p256, x: x, y: y)).spki
    case .raw: [0x04] + x + y
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
}
