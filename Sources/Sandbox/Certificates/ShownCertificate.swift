import CGnuTLS
import HTTPServer

/// The certificate that a client showed in its handshake.
///
/// The handshake proved that the client has its key; nothing else about it was judged.
struct ShownCertificate: Sendable {
  let certificate: Certificate
  var der: [UInt8] { certificate.der }

  init(_ certificate: Certificate) { self.certificate = certificate }

  /// Takes the certificate of a session, if one was shown that can be read.
  init?(of session: TLSSession) { self.init(of: session.raw) }

  init?(of session: gnutls_session_t) {
    var count: UInt32 = 0
    guard let shown = gnutls_certificate_get_peers(session, &count),
      let certificate = try? Certificate(
        der: Array(UnsafeBufferPointer(start: shown[0].data, count: Int(shown[0].size))))
    else { return nil }
    self.certificate = certificate
  }

  /// What tokens are bound to (RFC 8705 section 3.1).
  var thumbprint: String { Base64URL.encode(SHA256.hash(der)) }

  func isValid(at now: Int) -> Bool {
    certificate.notValidBefore <= now && now <= certificate.notValidAfter
  }

  /// Whether a chain leads to one of the roots.
  func leads(to roots: [Certificate], over intermediates: [Certificate]) -> Bool {
    var chain = [certificate]
    while chain.count < 8, let last = chain.last, last.subject != last.issuer,
      let next = intermediates.first(where: { $0.subject == last.issuer && last.isSigned(by: $0) })
    {
      chain.append(next)
    }
    var list: gnutls_x509_trust_list_t?
    gnutls_x509_trust_list_init(&list, 0)
    defer { gnutls_x509_trust_list_deinit(list, 0) }
    var authorities: [gnutls_x509_crt_t?] = roots.map(\.raw)
    gnutls_x509_trust_list_add_cas(list, &authorities, UInt32(authorities.count), 0)
    var handles: [gnutls_x509_crt_t?] = chain.map(\.raw)
    var status: UInt32 = 0
    let code = gnutls_x509_trust_list_verify_crt(
      list, &handles, UInt32(handles.count), 0, &status, nil)
    return code >= 0 && status == 0
  }
}
