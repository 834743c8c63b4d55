import CGnuTLS

/// An X.509 certificate.
// Sendable: it does not change once it is made.
final class Certificate: @unchecked Sendable {
  let raw: gnutls_x509_crt_t
  let der: [UInt8]
  let publicKey: PublicKey
  /// The names as RFC 4514 writes them.
  let subject: String
  let issuer: String
  /// The serial number, in hexadecimal digits with colons.
  let serialNumber: String
  /// Seconds since 1970.
  let notValidBefore: Int
  let notValidAfter: Int

  private init(taking raw: gnutls_x509_crt_t) throws(GnuTLSError) {
    do throws(GnuTLSError) {
      der = try allocated { gnutls_x509_crt_export2(raw, GNUTLS_X509_FMT_DER, &$0) }
      publicKey = try PublicKey(ofCertificate: raw)
      subject = String(
        decoding: try allocated { gnutls_x509_crt_get_dn3(raw, &$0, 0) }, as: UTF8.self)
      issuer = String(
        decoding: try allocated { gnutls_x509_crt_get_issuer_dn3(raw, &$0, 0) }, as: UTF8.self)
      var serial = [UInt8](repeating: 0, count: 64)
      var size = serial.count
      try GnuTLSError.check(gnutls_x509_crt_get_serial(raw, &serial, &size))
      serialNumber = serial.prefix(size).map { String($0, radix: 16) }.joined(separator: ":")
    } catch {
      gnutls_x509_crt_deinit(raw)
      throw error
    }
    notValidBefore = gnutls_x509_crt_get_activation_time(raw)
    notValidAfter = gnutls_x509_crt_get_expiration_time(raw)
    self.raw = raw
  }

  deinit { gnutls_x509_crt_deinit(raw) }

  convenience init(der: [UInt8]) throws(GnuTLSError) {
    let raw = try Self.empty()
    try self.init(
      taking: Self.filled(raw) {
        der.withDatum { gnutls_x509_crt_import(raw, &$0, GNUTLS_X509_FMT_DER) }
      })
  }

  convenience init(pem: String) throws(GnuTLSError) {
    let raw = try Self.empty()
    try self.init(
      taking: Self.filled(raw) {
        Array(pem.utf8).withDatum { gnutls_x509_crt_import(raw, &$0, GNUTLS_X509_FMT_PEM) }
      })
  }

  /// Makes a certificate: `fill` sets what it says, and signs it.
  convenience init(
    making fill: (gnutls_x509_crt_t) throws(GnuTLSError) -> Void
  ) throws(GnuTLSError) {
    let raw = try Self.empty()
    defer { gnutls_x509_crt_deinit(raw) }
    try fill(raw)
    // GnuTLS finds some extensions only in a certificate that it has read.
    try self.init(der: try allocated { gnutls_x509_crt_export2(raw, GNUTLS_X509_FMT_DER, &$0) })
  }

  private static func empty() throws(GnuTLSError) -> gnutls_x509_crt_t {
    var raw: gnutls_x509_crt_t?
    try GnuTLSError.check(gnutls_x509_crt_init(&raw))
    guard let raw else { throw GnuTLSError(code: GNUTLS_E_MEMORY_ERROR) }
    return raw
  }

  private static func filled(
    _ raw: gnutls_x509_crt_t, _ fill: () -> Int32
  ) throws(GnuTLSError) -> gnutls_x509_crt_t {
    let code = fill()
    if code < 0 { gnutls_x509_crt_deinit(raw) }
    try GnuTLSError.check(code)
    return raw
  }

  /// Every certificate of a PEM file; what is between them is passed over.
  static func all(inPEM text: String) throws(GnuTLSError) -> [Certificate] {
    var found: [Certificate] = []
    var block: [Substring]?
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----BEGIN CERTIFICATE-----") { block = [] }
      block?.append(line)
      guard line.hasPrefix("-----END CERTIFICATE-----"), let lines = block else { continue }
      found.append(try Certificate(pem: lines.joined(separator: "\n") + "\n"))
      block = nil
    }
    return found
  }

  func pem() throws(GnuTLSError) -> String {
    let bytes = try allocated { gnutls_x509_crt_export2(raw, GNUTLS_X509_FMT_PEM, &$0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether another certificate's key signed this one.
  func isSigned(by other: Certificate) -> Bool {
    var issuer: gnutls_x509_crt_t? = other.raw
    var output: UInt32 = 0
    let flags = UInt32(GNUTLS_VERIFY_DISABLE_TIME_CHECKS.rawValue)
    let code = gnutls_x509_crt_verify(raw, &issuer, 1, flags, &output)
    let wrong =
      UInt32(GNUTLS_CERT_SIGNER_NOT_FOUND.rawValue)
      | UInt32(GNUTLS_CERT_SIGNATURE_FAILURE.rawValue)
    return code >= 0 && output & wrong == 0
  }

  /// An alternative name of the subject, by its type.
  enum Name {
    case dns(String)
    case email(String)
    case uri(String)
    case address([UInt8])
  }

  var names: [Name] {
    var names: [Name] = []
    while true {
      var bytes = [UInt8](repeating: 0, count: 1024)
      var size = bytes.count
      let kind = gnutls_x509_crt_get_subject_alt_name(
        raw, UInt32(names.count), &bytes, &size, nil)
      guard kind >= 0 else { return names }
      let value = Array(bytes.prefix(size))
      let text = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
      switch UInt32(kind) {
      case UInt32(GNUTLS_SAN_DNSNAME.rawValue): names.append(.dns(text))
      case UInt32(GNUTLS_SAN_RFC822NAME.rawValue): names.append(.email(text))
      case UInt32(GNUTLS_SAN_URI.rawValue): names.append(.uri(text))
      case UInt32(GNUTLS_SAN_IPADDRESS.rawValue): names.append(.address(value))
      default: return names
      }
    }
  }
}
