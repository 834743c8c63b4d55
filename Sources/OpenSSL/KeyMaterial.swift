internal import COpenSSL

/// Finds public keys in certificates, requests and keys, in all forms in which people store them.
package enum KeyMaterial {
  /// One public key of a file.
  package struct Item: Sendable {
    /// What the key was found in.
    package enum Kind: Sendable, Hashable, CaseIterable {
      case certificate, request, publicKey, privateKey
    }

    package let kind: Kind
    /// The subject of a certificate or request; `public key` or `private key` otherwise.
    package let label: String
    /// The DER SubjectPublicKeyInfo.
    package let spki: [UInt8]
    /// The certificate, if the key is in one.
    package let certificate: Certificate?
  }

  /// The key of each certificate, request and key of a file, in their order.
  ///
  /// - Parameters:
  ///   - bytes: PEM (any number of blocks) or DER: certificates, requests, keys, PKCS #7, PKCS #12.
  ///   - password: of a private key or a PKCS #12 file; `nil` for none.
  ///   - allowsLegacy: whether PKCS #12 may use RC2, RC4 and DES.
  /// - Returns: the keys; never none.
  /// - Throws: ``CryptoError`` for no key and a malformed one; its kind tells if a password is
  ///   missing or wrong.
  package static func items(
    in bytes: [UInt8], password: String? = nil, allowsLegacy: Bool = false
  ) throws(CryptoError) -> [Item] {
    guard PEM.isLikely(bytes) else { return try items(der: bytes, password, allowsLegacy) }
    let blocks = try PEM.blocks(bytes)
    // libcrypto decrypts the first private key of a text.
    let hasOneKey = blocks.count { PrivateKey.labels.contains($0.label) } == 1
    var items: [Item] = []
    for block in blocks {
      if block.isEncrypted, hasOneKey, PrivateKey.labels.contains(block.label) {
        items.append(try item(try PrivateKey(pem: bytes, passphrase: password)))
      } else {
        items += try Self.items(block)
      }
    }
    guard !items.isEmpty else { throw nothing }
    return items
  }

  private static func items(_ block: PEMBlock) throws(CryptoError) -> [Item] {
    switch block.label {
    case let label where Certificate.labels.contains(label):
      [item(try Certificate(der: block.bytes))]
    case let label where Certificate.messageLabels.contains(label):
      try Certificate.list(pkcs7: block.bytes).map(item)
    case let label where CertificateRequest.labels.contains(label):
      [item(try CertificateRequest(der: block.bytes))]
    case let label where PrivateKey.labels.contains(label):
      [try item(try PrivateKey(block: block))]
    case PublicKey.label: [item(try PublicKey(spki: block.bytes))]
    default: []
    }
  }

  private static func items(
    der: [UInt8], _ password: String?, _ allowsLegacy: Bool
  ) throws(CryptoError) -> [Item] {
    if let certificate = try? Certificate(der: der) { return [item(certificate)] }
    if let request = try? CertificateRequest(der: der) { return [item(request)] }
    if let key = try? PublicKey(spki: der) { return [item(key)] }
    if let certificates = try? Certificate.list(pkcs7: der) { return certificates.map(item) }
    do {
      return [try item(try PrivateKey(der: der))]
    } catch {
      guard error.kind != .encryptedKey else {
        guard password != nil else { throw error }
        let pem = PEM.encode(der, label: "ENCRYPTED PRIVATE KEY")
        return [try item(try PrivateKey(pem: Array(pem.utf8), passphrase: password))]
      }
    }
    return try items(pkcs12: der, password, allowsLegacy)
  }

  private static func items(
    pkcs12 der: [UInt8], _ password: String?, _ allowsLegacy: Bool
  ) throws(CryptoError) -> [Item] {
    do {
      let file = try PKCS12.read(der, password: password, allowsLegacy: allowsLegacy)
      return ([file.certificate] + file.others).map(item)
    } catch {
      throw [.other, .malformed].contains(error.kind) ? nothing : error
    }
  }

  private static func item(_ certificate: Certificate) -> Item {
    Item(
      kind: .certificate, label: certificate.subject, spki: certificate.spki,
      certificate: certificate)
  }

  private static func item(_ request: CertificateRequest) -> Item {
    Item(kind: .request, label: request.subject, spki: request.spki, certificate: nil)
  }

  private static func item(_ key: PublicKey) -> Item {
    Item(kind: .publicKey, label: "public key", spki: key.spki, certificate: nil)
  }

  private static func item(_ key: PrivateKey) throws(CryptoError) -> Item {
    Item(
      kind: .privateKey, label: "private key", spki: try key.publicKey.spki, certificate: nil)
  }

  private static let nothing = CryptoError(
    "find a public key", reasons: ["no certificate, certificate request or key in the file"])
}
