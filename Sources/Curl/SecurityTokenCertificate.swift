import CCurl
import HTTP
import OpenSSL

/// A client certificate whose private key is in a security token that this process has opened.
///
/// libcurl takes keys from files and memory only, so it is put into the TLS connection when the server asks.
struct SecurityTokenCertificate: Sendable {
  private let chain: [Certificate]
  private let key: PrivateKey

  /// - Throws: ``TransportError/Code/clientCertificateRequired`` if the security token has
  ///   not been opened.
  init?(_ certificate: ClientCertificate?, host: String) throws(TransportError) {
    guard let certificate, case .securityToken(let uri) = certificate.key else { return nil }
    guard let key = SecurityTokenKeys.opened(uri),
      let chain = try? Certificate.list(pem: certificate.chain), !chain.isEmpty
    else {
      throw TransportError(
        .clientCertificateRequired, "the security token of the client certificate is not open",
        host: host)
    }
    self.chain = chain
    self.key = key
  }

  /// Shows certificates and key to the server; `false` if OpenSSL does not accept them.
  func show(on connection: TLSConnection) -> Bool {
    for (position, certificate) in chain.enumerated() {
      let der = certificate.der
      let isShown = ccurl_show_certificate(connection.raw, der, der.count, position == 0 ? 1 : 0)
      guard isShown == 1 else { return false }
    }
    return key.withHandle { ccurl_show_key(connection.raw, $0) == 1 }
  }
}
