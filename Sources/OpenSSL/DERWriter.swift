/// Writes the DER types that keys consist of (X.690).
enum DERWriter {
  static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, Array(elements.joined())) }

  /// A number that is not negative, from its big-endian bytes.
  static func integer(_ bytes: [UInt8]) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return element(0x02, digits)
  }

  static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

  static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

  static func explicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    element(0xA0 | number, content)
  }

  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }
}

extension EllipticCurve {
  /// The name of the curve in DER (RFC 5480, SEC 2).
  var objectIdentifier: [UInt8] {
    switch self {
    case .p256: [0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
    case .p384: [0x06, 5, 0x2B, 0x81, 4, 0, 0x22]
    case .p521: [0x06, 5, 0x2B, 0x81, 4, 0, 0x23]
    case .secp256k1: [0x06, 5, 0x2B, 0x81, 4, 0, 0x0A]
    }
  }
}

extension OctetKeyCurve {
  /// The name of the curve in DER (RFC 8410).
  var objectIdentifier: [UInt8] {
    switch self {
    case .x25519: [0x06, 3, 0x2B, 0x65, 0x6E]
    case .x448: [0x06, 3, 0x2B, 0x65, 0x6F]
    case .ed25519: [0x06, 3, 0x2B, 0x65, 0x70]
    case .ed448: [0x06, 3, 0x2B, 0x65, 0x71]
    }
  }
}
