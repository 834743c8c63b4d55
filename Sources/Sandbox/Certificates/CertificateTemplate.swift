import CGnuTLS

/// What a new certificate says.
struct CertificateTemplate {
  enum Use {
    /// An authority, with the number of authorities below it.
    case authority(Int32)
    case server
    case client
  }

  /// The common name of the subject.
  let subject: String
  let key: PublicKey
  /// Seconds since 1970.
  let validity: Range<Int>
  let use: Use
  var names: [Certificate.Name] = []

  /// Makes the certificate, signed by the key of an issuer, or by its own.
  func issue(by issuer: Certificate?, _ key: PrivateKey) throws(GnuTLSError) -> Certificate {
    try Certificate { (raw) throws(GnuTLSError) in
      try Self.set(raw, "2.5.4.10", "sdkctl sandbox")
      try Self.set(raw, "2.5.4.3", subject)
      try GnuTLSError.check(gnutls_x509_crt_set_pubkey(raw, self.key.raw))
      for name in names { try Self.add(name, to: raw) }
      try Self.finish(raw, validity, use, issuer, key, isIdentified: true)
    }
  }

  /// Issues what a certificate request asks for: its subject, its key and its alternative names.
  static func issue(
    _ request: CertificateRequest, validity: Range<Int>, by issuer: Certificate, _ key: PrivateKey
  ) throws(GnuTLSError) -> Certificate {
    try Certificate { (raw) throws(GnuTLSError) in
      try GnuTLSError.check(gnutls_x509_crt_set_crq(raw, request.raw))
      // There need not be one.
      _ = gnutls_x509_crt_set_crq_extension_by_oid(raw, request.raw, "2.5.29.17", 0)
      try finish(raw, validity, .client, issuer, key, isIdentified: false)
    }
  }

  /// Sets what all certificates have, and signs.
  private static func finish(
    _ raw: gnutls_x509_crt_t, _ validity: Range<Int>, _ use: Use, _ issuer: Certificate?,
    _ key: PrivateKey, isIdentified: Bool
  ) throws(GnuTLSError) {
    // Positive, and of the same length in each certificate.
    var serial = Secret.randomBytes(20)
    serial[0] = serial[0] & 0x3F | 0x40
    try GnuTLSError.check(gnutls_x509_crt_set_version(raw, 3))
    try GnuTLSError.check(gnutls_x509_crt_set_serial(raw, serial, serial.count))
    try GnuTLSError.check(gnutls_x509_crt_set_activation_time(raw, validity.lowerBound))
    try GnuTLSError.check(gnutls_x509_crt_set_expiration_time(raw, validity.upperBound))
    switch use {
    case .authority(let below):
      try GnuTLSError.check(gnutls_x509_crt_set_basic_constraints(raw, 1, below))
      try GnuTLSError.check(
        gnutls_x509_crt_set_key_usage(raw, UInt32(GNUTLS_KEY_KEY_CERT_SIGN | GNUTLS_KEY_CRL_SIGN)))
    case .server, .client:
      try GnuTLSError.check(gnutls_x509_crt_set_basic_constraints(raw, 0, -1))
      try GnuTLSError.check(
        gnutls_x509_crt_set_key_usage(raw, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)))
      let isServer = if case .server = use { true } else { false }
      try GnuTLSError.check(
        gnutls_x509_crt_set_key_purpose_oid(
          raw, isServer ? "1.3.6.1.5.5.7.3.1" : "1.3.6.1.5.5.7.3.2", 0))
    }
    let identifier = try Self.identifier(of: raw)
    try GnuTLSError.check(
      gnutls_x509_crt_set_subject_key_id(raw, identifier, identifier.count))
    let above = try issuer.map { (one) throws(GnuTLSError) in try Self.identifier(of: one.raw) }
    let authority = above ?? identifier
    try GnuTLSError.check(
      gnutls_x509_crt_set_authority_key_id(raw, authority, authority.count))
    let handle = try SigningHandle(key)
    try GnuTLSError.check(
      gnutls_x509_crt_privkey_sign(raw, issuer?.raw ?? raw, handle.raw, GNUTLS_DIG_SHA256, 0))
  }

  private static func identifier(of raw: gnutls_x509_crt_t) throws(GnuTLSError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    var size = bytes.count
    try GnuTLSError.check(gnutls_x509_crt_get_key_id(raw, 0, &bytes, &size))
    return Array(bytes.prefix(size))
  }

  private static func set(
    _ raw: gnutls_x509_crt_t, _ type: String, _ value: String
  ) throws(GnuTLSError) {
    try GnuTLSError.check(
      gnutls_x509_crt_set_dn_by_oid(raw, type, 0, value, UInt32(value.utf8.count)))
  }

  private static func add(
    _ name: Certificate.Name, to raw: gnutls_x509_crt_t
  ) throws(GnuTLSError) {
    let (type, bytes): (gnutls_x509_subject_alt_name_t, [UInt8]) =
      switch name {
      case .dns(let text): (GNUTLS_SAN_DNSNAME, Array(text.utf8))
      case .email(let text): (GNUTLS_SAN_RFC822NAME, Array(text.utf8))
      case .uri(let text): (GNUTLS_SAN_URI, Array(text.utf8))
      case .address(let bytes): (GNUTLS_SAN_IPADDRESS, bytes)
      }
    try GnuTLSError.check(
      gnutls_x509_crt_set_subject_alt_name(
        raw, type, bytes, UInt32(bytes.count), UInt32(GNUTLS_FSAN_APPEND)))
  }
}
