import COpenSSL
import Primitives

/// Reads keys and certificates of files, in all forms in which people store them.
package enum KeyMaterial {
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
    package let certificate: Certificate?
    /// The private key, if the file has it: of a PKCS #12 file beside its certificate.
    package let privateKey: PrivateKey?
    /// What a PKCS #12 file calls the private key.
    package var name: String?
  }

  /// The key of each certificate, request and key of a file, in their order.
  ///
  /// Takes PEM (any number of blocks), DER or its base64: certificates, requests, keys, PKCS #7, PKCS #12. The kind of
  /// the error tells if a password is missing, wrong or too costly, or if old algorithms must be allowed.
  package static func items(
    in bytes: [UInt8], password: String? = nil, allowsLegacy: Bool = false
  ) throws(CryptoError) -> [Item] {
    guard PEM.isLikely(bytes) else {
      return try items(der: decoded(bytes) ?? bytes, password, allowsLegacy)
    }
    let blocks = try PEM.blocks(bytes)
    if password != nil { try PrivateKey.requireAffordable(blocks) }
    var items: [Item] = []
    for block in blocks { items += try Self.items(block, password, allowsLegacy) }
    guard !items.isEmpty else { throw nothing }
    return items
  }

  /// The DER that a text in base64 stands for; `nil` for anything else.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    guard let der = Base64.decode(bytes.filter { $0 > 0x20 }) else { return nil }
    return der.first == DERValue.sequence ? der : nil
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
    case "RSA PUBLIC KEY": [item(try PublicKey(pkcs1: block.bytes))]
    case "PKCS12", "PFX": try items(der: block.bytes, password, allowsLegacy)
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
    if let key = (try? PublicKey(spki: der)) ?? (try? PublicKey(pkcs1: der)) { return [item(key)] }
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
    var items = file.certificates.map { item($0) }
    for named in file.keys {
      let spki = try named.key.publicKey.spki
      let place = items.firstIndex { $0.spki == spki && $0.privateKey == nil }
      if let certificate = place.flatMap({ items[$0].certificate }), let place {
        items[place] = item(certificate, with: named)
      } else if !items.contains(where: { $0.spki == spki }) {
        items.append(try item(named.key, name: named.name))
      }
    }
    guard !items.isEmpty else { throw nothing }
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

/// One block of a PEM document (RFC 7468, and the headers of RFC 1421 before it).
package struct PEMBlock: Sendable, Hashable {
  /// The text between `-----BEGIN ` and `-----`.
  package let label: String
  /// The headers, each on a line; empty if there are none.
  let headers: String
  package let bytes: [UInt8]
  /// Its number in the document and the line where it begins, for errors.
  let place: String

  package var isEncrypted: Bool {
    label == "ENCRYPTED PRIVATE KEY" || headers.containsText("ENCRYPTED")
  }
}

package enum PEM {
  /// Whether the bytes look like PEM rather than DER.
  package static func isLikely(_ bytes: [UInt8]) -> Bool {
    if isUTF16(bytes) { return true }
    let mark = Array("-----BEGIN ".utf8)
    guard bytes.count >= mark.count else { return false }
    return (0...(bytes.count - mark.count)).contains { start in
      bytes[start] == mark[0] && bytes[start..<(start + mark.count)].elementsEqual(mark)
    }
  }

  /// Whether the bytes begin as a text in UTF-16, or a PEM block in it.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    [[0xFF, 0xFE], [0xFE, 0xFF], [0x2D, 0], [0, 0x2D]].contains { bytes.starts(with: $0) }
  }

  /// All blocks in their order; text between them is ignored.
  ///
  /// Decrypts nothing, therefore never asks for a passphrase. `linesOnly` refuses what libcurl, which reads the same
  /// bytes, does not find.
  package static func blocks(
    _ bytes: [UInt8], linesOnly: Bool = false
  ) throws(CryptoError) -> [PEMBlock] {
    guard !isUTF16(bytes) else {
      throw CryptoError("read the PEM text", reasons: ["it is in UTF-16; save it as UTF-8"])
    }
    let input = try MemoryBIO(for: "read the PEM text")
    try require(input.write(bytes), to: "read the PEM text")
    var blocks: [PEMBlock] = []
    let lines = firstLines(of: bytes)
    func place() -> String {
      let line = lines.indices.contains(blocks.count) ? "line \(lines[blocks.count]), " : ""
      return "\(line)number \(blocks.count + 1)"
    }
    while let block = next(from: input, at: place()) { blocks.append(block) }
    let code = crypto.ERR_peek_last_error()
    let reasons = ErrorQueue.drain()
    let isAtEnd = ERR_GET_REASON(code) == PEM_R_NO_START_LINE
    if !linesOnly, let all = unlinedBlocks(of: bytes, moreThan: blocks.count) { return all }
    if isAtEnd, !blocks.isEmpty || !isLikely(bytes) { return blocks }
    throw CryptoError(
      "read the PEM text",
      reasons: isAtEnd
        ? ["no line of it begins with '-----BEGIN'"]
        : ["its block at \(place()), is damaged: \(reasons.joined(separator: ", "))"])
  }

  /// The blocks of a text that is indented, as in YAML, or on one line, with spaces or `\n` between, as in a variable
  /// (RFC 7468 section 3); `nil` if there are not more than `count`, or if one is damaged or has headers.
  private static func unlinedBlocks(of bytes: [UInt8], moreThan count: Int) -> [PEMBlock]? {
    let parts = bytes.split(separator: UInt8(ascii: "-"))
    let (start, end) = (Array("BEGIN ".utf8), Array("END ".utf8))
    let beginnings = parts.indices.filter { parts[$0].starts(with: start) }
    guard beginnings.count > count else { return nil }
    var blocks: [PEMBlock] = []
    for index in beginnings {
      let label = parts[index].dropFirst(start.count)
      guard index + 2 < parts.count, parts[index + 2].elementsEqual(end + label),
        let bytes = Base64.decode(digits(in: parts[index + 1]))
      else { return nil }
      blocks.append(
        PEMBlock(
          label: String(decoding: label, as: UTF8.self), headers: "", bytes: bytes,
          place: "number \(blocks.count + 1)"))
    }
    return blocks
  }

  /// The text without spaces, line breaks, and the letters that stand for these.
  private static func digits(in text: ArraySlice<UInt8>) -> [UInt8] {
    let lines = text.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
    return (lines[0] + lines.dropFirst().flatMap { $0.dropFirst() }).filter { $0 > 0x20 }
  }

  /// The numbers of the lines at which libcrypto finds the beginning of a block.
  private static func firstLines(of bytes: [UInt8]) -> [Int] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let (start, end) = (Array("-----BEGIN ".utf8), Array("-----".utf8))
    return lines.enumerated().compactMap { index, line in
      guard line.starts(with: start) else { return nil }
      let text = line.prefix(through: line.lastIndex { $0 > 0x20 } ?? line.startIndex)
      return text.suffix(end.count).elementsEqual(end) ? index + 1 : nil
    }
  }

  package static func encode(_ bytes: [UInt8], label: String, headers: String = "") -> String {
    var text = "-----BEGIN \(label)-----\n" + (headers.isEmpty ? "" : headers + "\n")
    let digits = Array(Base64.encode(bytes).utf8)
    for start in stride(from: 0, to: digits.count, by: 64) {
      text += String(decoding: digits[start..<min(start + 64, digits.count)], as: UTF8.self)
      text += "\n"
    }
    return text + "-----END \(label)-----\n"
  }

  private static func next(
    from input: borrowing MemoryBIO, at place: @autoclosure () -> String
  ) -> PEMBlock? {
    var name: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var data: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard crypto.PEM_read_bio(input.raw, &name, &header, &data, &count) == 1 else { return nil }
    defer {
      copenssl_free(name)
      copenssl_free(header)
      copenssl_clear_free(data, count)
    }
    guard let name, let header else { return nil }
    var label = String(cString: name)
    var bytes = Array(UnsafeBufferPointer(start: data, count: count))
    if label == "TRUSTED CERTIFICATE" {
      // OpenSSL's own form has its trust settings behind the certificate.
      label = "CERTIFICATE"
      bytes = DERValue.first(in: bytes)
    }
    return PEMBlock(
      label: label, headers: String(cString: header), bytes: bytes, place: place())
  }
}
