import Crypto

/// A public key on P-256, and the ways in which FIDO UAF writes keys and signatures (FIDO Registry
/// of Predefined Values 1.1, sections 3.6.1 and 3.6.2).
struct UAFKey: Sendable {
  private let key: P256.Signing.PublicKey

  init(_ key: P256.Signing.PublicKey) { self.key = key }

  /// Reads the key of a registration.
  init(_ bytes: [UInt8], encoding: UInt16) throws(UAFRefusal) {
    let key: P256.Signing.PublicKey?
    switch encoding {
    case 0x100 where bytes.count == 65: key = try? .init(x963Representation: bytes)
    case 0x101: key = try? .init(derRepresentation: bytes)
    default: key = nil
    }
    guard let key else {
      throw UAFRefusal(1494, "the public key cannot be read in the encoding that it names")
    }
    self.key = key
  }

  /// Whether a signature is by this key; one in another encoding than its algorithm says never is.
  func verifies(_ signature: [UInt8], of message: [UInt8], algorithm: UInt16) -> Bool {
    let value: P256.Signing.ECDSASignature?
    switch algorithm {
    case 0x01: value = try? .init(rawRepresentation: signature)
    case 0x02: value = try? .init(derRepresentation: signature)
    default: value = nil
    }
    return value.map { key.isValidSignature($0, for: message) } ?? false
  }

  static let signatureAlgorithms: Set<UInt16> = [0x01, 0x02]
  static let encodings: Set<UInt16> = [0x100, 0x101]
}
