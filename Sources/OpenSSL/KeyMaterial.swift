internal import COpenSSL

/// Reads keys and certificates of files, in all forms in which people store them.
package enum KeyMaterial {
  /// One key of a file.
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
    /// The private key, if the file has it: of a PKCS #12 file beside its certificate.
    package let privateKey: PrivateKey?
    /// What a PKCS #12 file calls the private key.
    package var name: String?
  }

  /// The key of each certificate, request and key of a file, in their order.
  ///
  /// - Parameters:
  ///   - bytes: PEM (any number of blocks) or DER: certificates, requests, keys, PKCS #7, PKCS #12.
  ///   - password: of private keys or a PKCS #12 file; `nil` for none.
  ///   - allowsLegacy: whether PKCS #12 and encrypted keys may use RC2, RC4 and DES.
  /// - Returns: the keys; never none.
  /// - Throws: ``CryptoError`` for no key and a malformed one; its kind tells if a password is
  ///   missing, wrong or too costly.
  package static func items(
    in bytes: [UInt8], password: String? = nil, allowsLegacy: Bool = false
  ) throws(CryptoError) -> [Item] {
    guard PEM.isLikely(bytes) else { return try items(der: bytes, password, allowsLegacy) }
    let blocks = try PEM.blocks(bytes)
    if password != nil { try PrivateKey.requireAffordable(blocks) }
    var items: [Item] = []
    for block in blocks { items += try Self.items(block, password, allowsLegacy) }
    guard !items.isEmpty else { throw nothing }
    return items
  }

  private static func items(
    _ block: PEMBlock, _ password: String?, _ allowsLegacy: Bool
  ) throws(CryptoError) -> [Item] {
    switch block.label {
    case let label where Certificate.labels.contains(label):
      [item(try Certificate(der: block.bytes))]
    case let label where Certificate.messageLabels.contains(label):
      try Certificate.list(pkcs7: block.bytes).map { item($0) }
    case let label where CertificateRequest.labels.contains(label):
      [item(try CertificateRequest(der: block.bytes))]
    case let label where PrivateKey.labels.contains(label):
      [
        try item(
          try PrivateKey(block: block, passphrase: password, allowsLegacy: allowsLegacy))
      ]
    case PublicKey.label: [item(try PublicKey(spki: block.bytes))]
    default: []
    }
  }

  private static func items(
    der: [UInt8], _ password: String?, _ allowsLegacy: Bool
  ) throws(CryptoError) -> [Item] {
    if let kind = javaKeyStores[Array(der.prefix(4))] {
      throw CryptoError(
        "find a key", reasons: ["it is a Java key store (\(kind))"], kind: .javaKeyStore)
    }
    if let certificate = try? Certificate(der: der) { return [item(certificate)] }
    if let request = try? CertificateRequest(der: der) { return [item(request)] }
    if let key = try? PublicKey(spki: der) { return [item(key)] }
    if let certificates = try? Certificate.list(pkcs7: der) { return certificates.map { item($0) } }
    do {
      return [try item(try PrivateKey(der: der))]
    } catch {
      guard error.kind != .encryptedKey else {
        guard let password else { throw error }
        return [
          try item(
            try PrivateKey(encrypted: der, passphrase: password, allowsLegacy: allowsLegacy))
        ]
      }
    }
    do {
      let file = try PKCS12.read(der, password: password, allowsLegacy: allowsLegacy)
      return try items(file)
    } catch {
      throw error.kind == .malformed ? nothing : error
    }
  }

  /// The certificates, each with its key, and keys without a certificate.
  private static func items(_ file: PKCS12) throws(CryptoError) -> [Item] {
    var items = ([file.certificate] + file.others).map { item($0) }
    for named in file.keys {
      let spki = try named.key.publicKey.spki
      let place = items.firstIndex { $0.spki == spki && $0.privateKey == nil }
      if let certificate = place.flatMap({ items[$0].certificate }), let place {
        items[place] = item(certificate, with: named)
      } else if !items.contains(where: { $0.spki == spki }) {
        items.append(try item(named.key, name: named.name))
      }
    }
    return items
  }

  private static func item(_ certificate: Certificate, with key: NamedKey? = nil) -> Item {
    Item(
      kind: .certificate, label: certificate.subject, spki: certificate.spki,
      certificate: certificate, privateKey: key?.key, name: key?.name)
  }

  private static func item(_ request: CertificateRequest) -> Item {
    Item(
      kind: .request, label: request.subject, spki: request.spki, certificate: nil,
      privateKey: nil)
  }

  private static func item(_ key: PublicKey) -> Item {
    Item(
      kind: .publicKey, label: "public key", spki: key.spki, certificate: nil, privateKey: nil)
  }

  private static func item(
    _ key: PrivateKey, name: String? = nil
  ) throws(CryptoError) -> Item {
    Item(
      kind: .privateKey, label: "private key", spki: try key.publicKey.spki, certificate: nil,
      privateKey: key, name: name)
  }

  /// How the files of Java's own formats begin.
  private static let javaKeyStores: [[UInt8]: String] = [
    [0xFE, 0xED, 0xFE, 0xED]: "JKS", [0xCE, 0xCE, 0xCE, 0xCE]: "JCEKS",
  ]

  private static let nothing = CryptoError(
    "find a key", reasons: ["there is no certificate, certificate request or key in it"],
    kind: .malformed)
}
