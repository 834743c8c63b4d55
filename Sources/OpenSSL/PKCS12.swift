internal import COpenSSL

/// A private key, and what programs show for it.
package struct NamedKey: Sendable {
  package let key: PrivateKey
  /// The friendly name of PKCS #12, which Java calls alias.
  package var name: String?

  package init(_ key: PrivateKey, name: String? = nil) {
    self.key = key
    self.name = name
  }
}

/// Private keys and certificates in one file (PKCS #12, RFC 7292).
package struct PKCS12: Sendable {
  /// The private keys, in the order of the file; none if it only says whom to trust.
  package let keys: [NamedKey]
  /// The certificates, in the order of the file.
  package let certificates: [Certificate]

  /// Reads a file.
  ///
  /// Without a password the empty one is tried too. The kind of the error tells if another argument would help
  /// (`wrongPassword`, `legacyAlgorithm`), or that it is another kind of file (`malformed`).
  package static func read(
    _ der: [UInt8], password: String?, allowsLegacy: Bool = false
  ) throws(CryptoError) -> PKCS12 {
    do {
      return try parse(der, password, allowsLegacy)
    } catch {
      // Only what the old algorithms can read needs them.
      guard (try? parse(der, password, true)) != nil else { throw error }
      throw .legacy(operation)
    }
  }

  /// Makes a file of a private key and its certificates in DER: AES-256 and SHA-256, or 3DES and SHA-1 for old programs.
  package static func encode(
    _ key: PrivateKey, _ certificate: Certificate, others: [Certificate] = [], password: String,
    name: String, isLegacy: Bool = false
  ) throws(CryptoError) -> [UInt8] {
    let operation = "make the PKCS #12 file"
    ErrorQueue.clear()
    let stack = try require(copenssl_certificate_list(), to: operation)
    defer { copenssl_free_certificates(stack) }
    try require(
      others.allSatisfy { copenssl_append_certificate(stack, $0.raw) == 1 }, to: operation)
    let file = try require(
      copenssl_pkcs12_make(password, name, key.raw, certificate.raw, stack, isLegacy ? 1 : 0),
      to: operation)
    defer { crypto.PKCS12_free(file) }
    return encodeDER { crypto.i2d_PKCS12(file, $0) }
  }

  private static let operation = "read the PKCS #12 file"

  private static func parse(
    _ der: [UInt8], _ password: String?, _ allowsLegacy: Bool
  ) throws(CryptoError) -> PKCS12 {
    try CryptoLibrary.begin()
    var keys: [NamedKey] = []
    var stack: OpaquePointer?
    let result = withUnsafeMutablePointer(to: &keys) { keys in
      copenssl_pkcs12_read(
        der, der.count, password, allowsLegacy ? 1 : 0,
        { receiver, key, name in
          guard let key else { return }
          receiver?.assumingMemoryBound(to: [NamedKey].self).pointee.append(
            NamedKey(PrivateKey(adopting: key), name: name.map { String(cString: $0) }))
        }, keys, &stack)
    }
    defer { copenssl_free_certificates(stack) }
    switch result {
    case COPENSSL_PKCS12_READ: break
    case COPENSSL_PKCS12_MALFORMED:
      ErrorQueue.clear()
      throw CryptoError(operation, reasons: ["it is not a PKCS #12 file"], kind: .malformed)
    case COPENSSL_PKCS12_PASSWORD:
      ErrorQueue.clear()
      let cause = password == nil ? "it needs a password" : "the password is wrong"
      throw CryptoError(operation, reasons: [cause], kind: .wrongPassword)
    case COPENSSL_PKCS12_COSTLY:
      ErrorQueue.clear()
      throw .costly(operation)
    case COPENSSL_PKCS12_NO_LEGACY:
      ErrorQueue.clear()
      throw .withoutLegacy(operation)
    default: throw CryptoError(draining: operation)
    }
    ErrorQueue.clear()
    return PKCS12(keys: keys, certificates: try Certificate.list(stack))
  }
}

extension Certificate {
  /// Copies of the certificates of a stack, which keeps its own.
  static func list(_ stack: OpaquePointer?) throws(CryptoError) -> [Certificate] {
    var certificates: [Certificate] = []
    for index in 0..<copenssl_certificate_count(stack) {
      let raw = copenssl_certificate(stack, index)
      certificates.append(try Certificate(der: encodeDER { crypto.i2d_X509(raw, $0) }))
    }
    return certificates
  }

  /// The certificates of a signed PKCS #7 message, such as `application/pkcs7-mime` of RFC 7030.
  package static func list(pkcs7 der: [UInt8]) throws(CryptoError) -> [Certificate] {
    try CryptoLibrary.begin()
    let stack = copenssl_pkcs7_certificates(der, der.count)
    defer { copenssl_free_certificates(stack) }
    let reasons = ErrorQueue.drain()
    let certificates = try list(stack)
    guard !certificates.isEmpty else {
      throw CryptoError(
        "read the PKCS #7 message", reasons: reasons.isEmpty ? ["it has no certificates"] : reasons)
    }
    return certificates
  }

  package static let messageLabels: Set<String> = ["PKCS7", "CMS"]
}
