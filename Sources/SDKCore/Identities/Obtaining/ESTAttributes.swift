import OpenSSL

/// What an EST server wants in certificate requests (RFC 7030 section 4.5.2).
///
/// Read for the kind of key; names and extensions are for the authority to add.
struct ESTAttributes: Sendable, Hashable {
  /// The kind of key that the server wants.
  var keyKind: KeyKind?
  /// What the server wants and does not get.
  private var unmet: [String] = []

  /// What the server wants and does not get, for people; `nil` if it gets all.
  var unmetWishes: String? { unmet.isEmpty ? nil : unmet.joined(separator: ", ") }

  /// No wishes.
  init() {}

  /// Reads `CsrAttrs`: a sequence of identifiers and attributes.
  init(der: [UInt8]) throws(SDKError) {
    guard let items = DERValue(der)?.children else {
      throw SDKError(
        .malformedResponse, cause: "the server's certificate request attributes are not DER")
    }
    for item in items {
      guard item.tag == DERValue.sequence else {
        if let name = Self.unsupported[item.content] { unmet.append(name) }
        continue
      }
      guard let parts = item.children, parts.count == 2, let values = parts[1].children else {
        continue
      }
      switch parts[0].content {
      case Self.ecPublicKey:
        keyKind = values.lazy.compactMap { Self.curves[$0.content] }.first.map { .ec($0) }
        if keyKind == nil { unmet.append("a key of another curve") }
      case Self.rsaEncryption:
        keyKind = values.lazy.compactMap(\.integer).first.flatMap(Self.rsa)
        if keyKind == nil { unmet.append("an RSA key of another size") }
      default:
        if let name = Self.unsupported[parts[0].content] { unmet.append(name) }
      }
    }
  }

  /// Attributes that servers require, by the content of their identifier.
  private static let unsupported: [[UInt8]: String] = [
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x07]: "challengePassword",
    [0x2B, 0x06, 0x01, 0x01, 0x01, 0x01, 0x16]: "macAddress",
    // RFC 7030 section 4.4.1: they name the key that protects the one that the server makes.
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x02, 0x25]: "decryptKeyID",
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x02, 0x36]: "asymmDecryptKeyID",
  ]

  private static func rsa(_ bits: Int) -> KeyKind? {
    (2048...8192).contains(bits) ? .rsa(bits: bits) : nil
  }

  private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  private static let rsaEncryption: [UInt8] = [
    0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
  ]
  private static let curves: [[UInt8]: EllipticCurve] = [
    [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]: .p256,
    [0x2B, 0x81, 0x04, 0x00, 0x22]: .p384, [0x2B, 0x81, 0x04, 0x00, 0x23]: .p521,
  ]
}
