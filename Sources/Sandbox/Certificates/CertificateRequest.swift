import CGnuTLS

/// A certificate request (PKCS #10).
// Sendable: it does not change once it is read.
final class CertificateRequest: @unchecked Sendable {
  let raw: gnutls_x509_crq_t

  init(der: [UInt8]) throws(GnuTLSError) {
    var raw: gnutls_x509_crq_t?
    try GnuTLSError.check(gnutls_x509_crq_init(&raw))
    guard let raw else { throw GnuTLSError(code: GNUTLS_E_MEMORY_ERROR) }
    self.raw = raw
    try GnuTLSError.check(
      der.withDatum { gnutls_x509_crq_import(raw, &$0, GNUTLS_X509_FMT_DER) })
  }

  deinit { gnutls_x509_crq_deinit(raw) }

  /// Whether who sent it has the key.
  var isSigned: Bool { gnutls_x509_crq_verify(raw, 0) >= 0 }
}
