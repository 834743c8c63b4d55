import CGnuTLS

/// A private key on P-256 or of RSA.
// Sendable: the key does not change once it is made.
final class PrivateKey: @unchecked Sendable {
  enum Kind {
    case p256
    case rsa2048
  }

  let raw: gnutls_x509_privkey_t
  let publicKey: PublicKey

  private init(_ fill: (gnutls_x509_privkey_t) -> Int32) throws(GnuTLSError) {
    var key: gnutls_x509_privkey_t?
    try GnuTLSError.check(gnutls_x509_privkey_init(&key))
    guard let key else { throw GnuTLSError(code: GNUTLS_E_MEMORY_ERROR) }
    do throws(GnuTLSError) {
      try GnuTLSError.check(fill(key))
      publicKey = try PublicKey(ofPrivate: key)
    } catch {
      gnutls_x509_privkey_deinit(key)
      throw error
    }
    raw = key
  }

  deinit { gnutls_x509_privkey_deinit(raw) }

  /// Makes a new key.
  convenience init(_ kind: Kind = .p256) throws(GnuTLSError) {
    try self.init { key in
      switch kind {
      case .p256:
        gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, UInt32(CGNUTLS_P256_BITS), 0)
      case .rsa2048: gnutls_x509_privkey_generate(key, GNUTLS_PK_RSA, 2048, 0)
      }
    }
  }

  convenience init(pem: String) throws(GnuTLSError) {
    try self.init { key in
      Array(pem.utf8).withDatum {
        gnutls_x509_privkey_import2(key, &$0, GNUTLS_X509_FMT_PEM, nil, 0)
      }
    }
  }

  /// PKCS #8.
  func pem() throws(GnuTLSError) -> String {
    let bytes = try allocated {
      gnutls_x509_privkey_export2_pkcs8(
        raw, GNUTLS_X509_FMT_PEM, nil, UInt32(GNUTLS_PKCS_PLAIN.rawValue), &$0)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Signs with SHA-256: RSASSA-PKCS1-v1_5, or ECDSA with its two numbers one after the other.
  func sign(_ message: [UInt8]) throws(GnuTLSError) -> [UInt8] {
    let key = try SigningHandle(self)
    let isRSA = gnutls_x509_privkey_get_pk_algorithm(raw) == Int32(GNUTLS_PK_RSA.rawValue)
    let signature = try allocated { signature in
      message.withDatum { message in
        gnutls_privkey_sign_data2(
          key.raw, isRSA ? GNUTLS_SIGN_RSA_SHA256 : GNUTLS_SIGN_ECDSA_SHA256, 0, &message,
          &signature)
      }
    }
    if isRSA { return signature }
    var (r, s) = (gnutls_datum_t(), gnutls_datum_t())
    try GnuTLSError.check(signature.withDatum { gnutls_decode_rs_value(&$0, &r, &s) })
    defer {
      cgnutls_free(r.data)
      cgnutls_free(s.data)
    }
    return [r, s].flatMap { number in
      Array(UnsafeBufferPointer(start: number.data, count: Int(number.size))).padded(to: 32)
    }
  }
}

/// A private key as calls take it that sign or that serve TLS.
// Sendable: it does not change once it is made.
final class SigningHandle: @unchecked Sendable {
  let raw: gnutls_privkey_t
  /// What the handle refers to.
  private let key: PrivateKey

  init(_ key: PrivateKey) throws(GnuTLSError) {
    var handle: gnutls_privkey_t?
    try GnuTLSError.check(gnutls_privkey_init(&handle))
    guard let handle else { throw GnuTLSError(code: GNUTLS_E_MEMORY_ERROR) }
    (raw, self.key) = (handle, key)
    try GnuTLSError.check(gnutls_privkey_import_x509(handle, key.raw, 0))
  }

  deinit { gnutls_privkey_deinit(raw) }
}
