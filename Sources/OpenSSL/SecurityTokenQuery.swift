internal import COpenSSL

/// Looks for the security token and the object of a URI; used by one thread at a time.
struct SecurityTokenQuery {
  private let uri: PKCS11URI
  private let module: String

  init(_ uri: PKCS11URI, _ module: String) {
    self.uri = uri
    self.module = module
  }

  struct Found {
    let token: SecurityTokenInfo
    /// Whether its keys can be used only after a login with a PIN.
    let needsPIN: Bool
    let attributes: [PKCS11URI.Attribute: [UInt8]]
    let label: [UInt8]
    let identifier: [UInt8]
  }

  /// Finds the only key, and logs in at its security token.
  func find(_ pin: [UInt8]?) throws(SecurityTokenError) -> Found {
    var key = copenssl_token_key()
    let result = withQuery { query in
      guard let pin else { return copenssl_token_find(query, nil, 0, &key) }
      return copenssl_token_find(query, pin, pin.count, &key)
    }
    try check(result, &key)
    return Found(
      token: info(&key), needsPIN: key.needs_pin != 0,
      attributes: [
        .token: text(&key.token), .manufacturer: text(&key.manufacturer), .model: text(&key.model),
        .serial: text(&key.serial),
      ],
      label: bytes(&key.label, key.label_count),
      identifier: bytes(&key.identifier, key.identifier_count))
  }

  func certificates(all: Bool) throws(SecurityTokenError) -> [Certificate] {
    var token = copenssl_token_key()
    let list = CertificateList()
    let box = Unmanaged.passUnretained(list).toOpaque()
    let result = withExtendedLifetime(list) {
      withQuery { query in
        copenssl_token_certificates(query, all ? 1 : 0, &token, certificateFound, box)
      }
    }
    try check(result, &token)
    return list.certificates
  }

  private func check(
    _ result: copenssl_token_result, _ key: inout copenssl_token_key
  ) throws(SecurityTokenError) {
    let info = info(&key)
    switch result {
    case COPENSSL_TOKEN_OK: return
    case COPENSSL_TOKEN_NO_MODULE: throw .noModule(module)
    case COPENSSL_TOKEN_ABSENT: throw .absent
    case COPENSSL_TOKEN_SEVERAL: throw .severalTokens
    case COPENSSL_TOKEN_NEEDS_PIN: throw .needsPIN(info)
    case COPENSSL_TOKEN_WRONG_PIN: throw .wrongPIN(info)
    case COPENSSL_TOKEN_LOCKED: throw .locked(info)
    case COPENSSL_TOKEN_CANCELLED: throw .cancelled
    case COPENSSL_TOKEN_NO_OBJECT: throw .noObject(info)
    case COPENSSL_TOKEN_SEVERAL_OBJECTS: throw .severalObjects(info)
    default: throw .failed("error \(String(key.number, radix: 16)) of PKCS #11")
    }
  }

  private func info(_ key: inout copenssl_token_key) -> SecurityTokenInfo {
    SecurityTokenInfo(
      label: string(text(&key.token)), serial: string(text(&key.serial)),
      hasWrongPIN: key.pin_count_low != 0, isLastAttempt: key.pin_final_try != 0)
  }

  private func withQuery(
    _ body: (UnsafePointer<copenssl_token_query>) -> copenssl_token_result
  ) -> copenssl_token_result {
    let names: [PKCS11URI.Attribute] = [.token, .manufacturer, .model, .serial, .object]
    let texts = [module.utf8CString] + names.map { uri.text($0)?.utf8CString ?? [] }
    let identifier = uri.attributes[.id] ?? []
    // One block for all strings, so that their addresses hold for the whole call.
    var block: [CChar] = []
    let offsets = texts.map { text -> Int? in
      guard !text.isEmpty else { return nil }
      defer { block += text }
      return block.count
    }
    return block.withUnsafeBufferPointer { block in
      identifier.withUnsafeBufferPointer { identifier in
        let strings = offsets.map { offset in
          offset.flatMap { offset in block.baseAddress.map { $0 + offset } }
        }
        var query = copenssl_token_query()
        query.module = strings[0]
        query.token = strings[1]
        query.manufacturer = strings[2]
        query.model = strings[3]
        query.serial = strings[4]
        query.label = strings[5]
        query.identifier = identifier.baseAddress
        query.identifier_count = identifier.count
        return body(&query)
      }
    }
  }

  /// The bytes of a C array before its first NUL.
  private func text<Field>(_ field: inout Field) -> [UInt8] {
    withUnsafeBytes(of: &field) { Array($0.prefix { $0 != 0 }) }
  }

  private func bytes<Field>(_ field: inout Field, _ count: Int) -> [UInt8] {
    withUnsafeBytes(of: &field) { Array($0.prefix(count)) }
  }

  private func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

private final class CertificateList {
  var certificates: [Certificate] = []
}

private func certificateFound(
  _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ box: UnsafeMutableRawPointer?
) {
  guard let bytes, let box else { return }
  let list = Unmanaged<CertificateList>.fromOpaque(box).takeUnretainedValue()
  let der = Array(UnsafeBufferPointer(start: bytes, count: count))
  if let certificate = try? Certificate(der: der) { list.certificates.append(certificate) }
}
