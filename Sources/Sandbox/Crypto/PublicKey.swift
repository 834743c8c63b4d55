import CGnuTLS

/// A public key: RSA, P-256 or Ed25519.
// Sendable: the key does not change once it is made.
final class PublicKey: @unchecked Sendable {
  enum Numbers: Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// The two coordinates of a point.
    case p256(x: [UInt8], y: [UInt8])
    case ed25519([UInt8])
  }

  /// How a signature is written and made.
  enum Scheme {
    case rsaPKCS1
    case rsaPSS
    /// The two numbers one after the other, as JWS and FIDO have it.
    case ecdsaRaw
    /// A DER document of both.
    case ecdsaDER
    case ed25519
  }

  let raw: gnutls_pubkey_t

  private init(filling fill: (gnutls_pubkey_t) -> Int32) throws(GnuTLSError) {
    var key: gnutls_pubkey_t?
    try GnuTLSError.check(gnutls_pubkey_init(&key))
    guard let key else { throw GnuTLSError(code: GNUTLS_E_MEMORY_ERROR) }
    raw = key
    try GnuTLSError.check(fill(key))
  }

  deinit { gnutls_pubkey_deinit(raw) }

  convenience init(ofCertificate certificate: gnutls_x509_crt_t) throws(GnuTLSError) {
    try self.init(filling: { gnutls_pubkey_import_x509($0, certificate, 0) })
  }

  convenience init(ofPrivate key: gnutls_x509_privkey_t) throws(GnuTLSError) {
    var abstract: gnutls_privkey_t?
    try GnuTLSError.check(gnutls_privkey_init(&abstract))
    defer { gnutls_privkey_deinit(abstract) }
    try GnuTLSError.check(gnutls_privkey_import_x509(abstract, key, 0))
    try self.init(filling: { gnutls_pubkey_import_privkey($0, abstract, 0, 0) })
  }

  /// Reads a SubjectPublicKeyInfo (DER).
  convenience init(der: [UInt8]) throws(GnuTLSError) {
    try self.init(filling: { key in
      der.withDatum { gnutls_pubkey_import(key, &$0, GNUTLS_X509_FMT_DER) }
    })
    guard let numbers, try self.der() == der else {
      throw GnuTLSError(code: GNUTLS_E_PARSING_ERROR)
    }
    try Self.check(numbers)
  }

  convenience init(_ numbers: Numbers) throws(GnuTLSError) {
    try Self.check(numbers)
    try self.init(filling: { key in
      switch numbers {
      case .rsa(let modulus, let exponent):
        modulus.withDatum { n in
          exponent.withDatum { e in gnutls_pubkey_import_rsa_raw(key, &n, &e) }
        }
      case .p256(let x, let y):
        x.withDatum { x in
          y.withDatum { y in
            gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_SECP256R1, &x, &y)
          }
        }
      case .ed25519(let x):
        x.withDatum { gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_ED25519, &$0, nil) }
      }
    })
  }

  private static func check(_ numbers: Numbers) throws(GnuTLSError) {
    let isValid =
      switch numbers {
      case .rsa: true
      case .p256(let x, let y):
        x.count == 32 && y.count == 32 && cgnutls_p256_is_point(x + y) == 1
      case .ed25519(let x): x.count == 32
      }
    guard isValid else { throw GnuTLSError(code: GNUTLS_E_PARSING_ERROR) }
  }

  /// The SubjectPublicKeyInfo.
  func der() throws(GnuTLSError) -> [UInt8] {
    try allocated { gnutls_pubkey_export2(raw, GNUTLS_X509_FMT_DER, &$0) }
  }

  /// The numbers of the key; `nil` for other kinds.
  var numbers: Numbers? {
    var (one, other) = (gnutls_datum_t(), gnutls_datum_t())
    var curve = GNUTLS_ECC_CURVE_INVALID
    defer {
      cgnutls_free(one.data)
      cgnutls_free(other.data)
    }
    func bytes(_ datum: gnutls_datum_t) -> [UInt8] {
      Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
    }
    let noLeadingZero = UInt32(GNUTLS_EXPORT_FLAG_NO_LZ.rawValue)
    if gnutls_pubkey_export_rsa_raw2(raw, &one, &other, noLeadingZero) >= 0 {
      return .rsa(modulus: bytes(one), exponent: bytes(other))
    }
    // Leaves the curve as it is if the key has none.
    gnutls_pubkey_export_ecc_raw2(raw, &curve, &one, &other, noLeadingZero)
    switch curve {
    case GNUTLS_ECC_CURVE_SECP256R1:
      return .p256(x: bytes(one).padded(to: 32), y: bytes(other).padded(to: 32))
    case GNUTLS_ECC_CURVE_ED25519: return .ed25519(bytes(one))
    default: return nil
    }
  }

  /// Whether a signature is by this key.
  func verifies(_ signature: [UInt8], of message: [UInt8], _ scheme: Scheme) -> Bool {
    let algorithm: gnutls_sign_algorithm_t
    var signature = signature
    switch (scheme, numbers) {
    case (.rsaPKCS1, .rsa): algorithm = GNUTLS_SIGN_RSA_SHA256
    case (.rsaPSS, .rsa): algorithm = GNUTLS_SIGN_RSA_PSS_SHA256
    case (.ecdsaRaw, .p256):
      algorithm = GNUTLS_SIGN_ECDSA_SHA256
      guard signature.count == 64, let der = try? Self.der(ofRaw: signature) else { return false }
      signature = der
    case (.ecdsaDER, .p256): algorithm = GNUTLS_SIGN_ECDSA_SHA256
    case (.ed25519, .ed25519): algorithm = GNUTLS_SIGN_EDDSA_ED25519
    default: return false
    }
    return message.withDatum { message in
      signature.withDatum { gnutls_pubkey_verify_data2(raw, algorithm, 0, &message, &$0) }
    } >= 0
  }

  private static func der(ofRaw signature: [UInt8]) throws(GnuTLSError) -> [UInt8] {
    try allocated { der in
      signature.prefix(32).withDatum { r in
        signature.suffix(32).withDatum { s in gnutls_encode_rs_value(&der, &r, &s) }
      }
    }
  }
}

extension [UInt8] {
  /// A big-endian number with that many bytes.
  func padded(to count: Int) -> [UInt8] {
    let digits = drop { $0 == 0 }
    return [UInt8](repeating: 0, count: Swift.max(0, count - digits.count)) + digits
  }
}
