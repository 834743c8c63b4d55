internal import COpenSSL

extension Certificate {
  /// What its key may be used for: the bits of keyUsage, then the purposes of extKeyUsage (RFC 5280 sections 4.2.1.3
  /// and 4.2.1.12); a purpose without a common name is an object identifier.
  package var usages: [String] { keyUsages + purposes }

  /// The algorithm of the issuer's signature, or its object identifier; `nil` if it cannot be read.
  package var signatureAlgorithm: String? {
    guard let parts = DERValue(der)?.children, parts.count == 3,
      let identifier = parts[1].children?.first?.content
    else { return nil }
    return Self.algorithms[Self.dotted(identifier)] ?? Self.dotted(identifier)
  }

  private var keyUsages: [String] {
    guard let bits = extensionDER(NID_key_usage).flatMap({ DERValue($0) })?.content.dropFirst()
    else {
      return []
    }
    return Self.usageNames.enumerated().filter { index, _ in
      let byte = bits.dropFirst(index / 8).first ?? 0
      return byte & (0x80 >> UInt8(index % 8)) != 0
    }.map(\.element)
  }

  private var purposes: [String] {
    let values = extensionDER(NID_ext_key_usage).flatMap { DERValue($0)?.children } ?? []
    return values.map { Self.dotted($0.content) }.map { Self.purposeNames[$0] ?? $0 }
  }

  /// An object identifier in the notation with dots (X.690 section 8.19).
  private static func dotted(_ content: [UInt8]) -> String {
    var numbers: [UInt64] = []
    var number: UInt64 = 0
    for byte in content {
      number = number &<< 7 | UInt64(byte & 0x7F)
      guard byte < 0x80 else { continue }
      if numbers.isEmpty {
        let first = min(number / 40, 2)
        numbers = [first, number - first * 40]
      } else {
        numbers.append(number)
      }
      number = 0
    }
    return numbers.map(String.init).joined(separator: ".")
  }

  private static let usageNames = [
    "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
    "keyCertSign", "cRLSign", "encipherOnly", "decipherOnly",
  ]

  private static let purposeNames = [
    "1.3.6.1.5.5.7.3.1": "serverAuth", "1.3.6.1.5.5.7.3.2": "clientAuth",
    "1.3.6.1.5.5.7.3.3": "codeSigning", "1.3.6.1.5.5.7.3.4": "emailProtection",
    "1.3.6.1.5.5.7.3.8": "timeStamping", "1.3.6.1.5.5.7.3.9": "OCSPSigning",
    "2.5.29.37.0": "anyExtendedKeyUsage",
  ]

  private static let algorithms = [
    "1.2.840.113549.1.1.5": "RSA with SHA-1", "1.2.840.113549.1.1.10": "RSA-PSS",
    "1.2.840.113549.1.1.11": "RSA with SHA-256", "1.2.840.113549.1.1.12": "RSA with SHA-384",
    "1.2.840.113549.1.1.13": "RSA with SHA-512", "1.2.840.10045.4.3.2": "ECDSA with SHA-256",
    "1.2.840.10045.4.3.3": "ECDSA with SHA-384", "1.2.840.10045.4.3.4": "ECDSA with SHA-512",
    "1.3.101.112": "Ed25519", "1.3.101.113": "Ed448",
  ]
}
