internal import COpenSSL

/// Finds public keys in certificates, requests and keys, in PEM or DER.
package enum KeyMaterial {
  /// The SubjectPublicKeyInfo of each certificate, request and key, in their order.
  ///
  /// Takes PEM (any number of blocks) or DER. The label is the subject of a
  /// certificate or request, and `public key` or `private key` otherwise.
  ///
  /// - Throws: ``CryptoError`` for no key, a malformed one, and an encrypted private key.
  package static func spki(
    anyOf bytes: [UInt8]
  ) throws(CryptoError) -> [(label: String, spki: [UInt8])] {
    guard PEM.isLikely(bytes) else { return [try item(der: bytes)] }
    var items: [(label: String, spki: [UInt8])] = []
    for block in try PEM.blocks(bytes) {
      if let item = try item(block) { items.append(item) }
    }
    guard !items.isEmpty else { throw nothing }
    return items
  }

  private static func item(
    _ block: PEMBlock
  ) throws(CryptoError) -> (label: String, spki: [UInt8])? {
    switch block.label {
    case let label where Certificate.labels.contains(label):
      return item(try Certificate(der: block.bytes))
    case let label where CertificateRequest.labels.contains(label):
      return item(try CertificateRequest(der: block.bytes))
    case let label where PrivateKey.labels.contains(label):
      return try item(try PrivateKey(block: block))
    case PublicKey.label:
      return item(try PublicKey(spki: block.bytes))
    default: return nil
    }
  }

  private static func item(der: [UInt8]) throws(CryptoError) -> (label: String, spki: [UInt8]) {
    if let certificate = try? Certificate(der: der) { return item(certificate) }
    if let request = try? CertificateRequest(der: der) { return item(request) }
    if let key = try? PublicKey(spki: der) { return item(key) }
    do {
      return try item(try PrivateKey(der: der))
    } catch {
      throw error.kind == .encryptedKey ? error : nothing
    }
  }

  private static func item(_ certificate: Certificate) -> (label: String, spki: [UInt8]) {
    (certificate.subject, certificate.spki)
  }

  private static func item(_ request: CertificateRequest) -> (label: String, spki: [UInt8]) {
    (request.subject, request.spki)
  }

  private static func item(_ key: PublicKey) -> (label: String, spki: [UInt8]) {
    ("public key", key.spki)
  }

  private static func item(
    _ key: PrivateKey
  ) throws(CryptoError) -> (label: String, spki: [UInt8]) {
    ("private key", try key.publicKey.spki)
  }

  private static let nothing = CryptoError(
    "find a public key", reasons: ["no certificate, certificate request or key in the file"])
}
