import CGnuTLS

/// A chain and its key in the form in which a handshake of GnuTLS takes them.
// Sendable: it does not change once it is made.
final class ServedChain: @unchecked Sendable {
  let certificates: UnsafeMutablePointer<gnutls_pcert_st>
  let count: Int
  let key: SigningHandle

  init(_ chain: ServerChain) throws {
    let served = try Certificate.all(inPEM: chain.servedPEM)
    key = try SigningHandle(try PrivateKey(pem: chain.keyPEM))
    count = served.count
    certificates = .allocate(capacity: max(1, count))
    certificates.initialize(repeating: gnutls_pcert_st(), count: max(1, count))
    for (index, certificate) in served.enumerated() {
      try GnuTLSError.check(
        gnutls_pcert_import_x509(certificates + index, certificate.raw, 0))
    }
  }

  deinit {
    for index in 0..<count { gnutls_pcert_deinit(certificates + index) }
    certificates.deallocate()
  }
}
