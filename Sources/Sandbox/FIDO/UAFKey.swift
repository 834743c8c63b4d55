/// A public key on P-256, and the ways in which FIDO UAF writes keys and signatures (FIDO Registry
/// of Predefined Values 1.1, sections 3.6.1 and 3.6.2).
struct UAFKey: Sendable {
  private let key: PublicKey

  /// Takes a key; `nil` if it is of another kind.
  init?(_ key: PublicKey) {
    guard case .p256 = key.numbers else { return nil }
    self.key = key
  }

  /// Reads the key of a registration.
  init(_ bytes: [UInt8], encoding: UInt16) throws(UAFRefusal) {
    let key: PublicKey?
    switch encoding {
    case 0x100 where bytes.count == 65 && bytes[0] == 4:
      key = try? PublicKey(.p256(x: Array(bytes[1..<33]), y: Array(bytes[33...])))
    case 0x101: key = try? PublicKey(der: bytes)
    default: key = nil
    }
    guard let key, let read = UAFKey(key) else {
      throw UAFRefusal(1494, "the public key cannot be read in the encoding that it names")
    }
    self = read
  }

  /// Whether a signature is by this key; one in another encoding than its algorithm says never is.
  func verifies(_ signature: [UInt8], of message: [UInt8], algorithm: UInt16) -> Bool {
    switch algorithm {
    case 0x01: key.verifies(signature, of: message, .ecdsaRaw)
    case 0x02: key.verifies(signature, of: message, .ecdsaDER)
    default: false
    }
  }

  static let signatureAlgorithms: Set<UInt16> = [0x01, 0x02]
  static let encodings: Set<UInt16> = [0x100, 0x101]
}
