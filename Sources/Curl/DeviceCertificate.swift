import CCurl
import HTTP
import OpenSSL

/// A client certificate whose private key is in a security token that this process has opened.
///
/// libcurl takes keys from files and memory only, so it is put into the TLS connection when the server asks.
struct DeviceCertificate: Sendable {
  private let chain: [Certificate]
  private let key: PrivateKey
  /// A directory that does not exist, one for each certificate.
  ///
  /// libcurl reuses a connection without looking at the certificate of a callback, but compares the
  /// names of the directories of authorities.
  let mark: String

  /// - Throws: ``TransportError/Code/clientCertificateRequired`` if the security token has
  ///   not been opened.
  init?(_ certificate: ClientCertificate?, host: String) throws(TransportError) {
    guard let certificate, case .securityToken(let uri) = certificate.key else { return nil }
    guard let key = SecurityTokenKeys.opened(uri),
      let chain = try? Certificate.list(pem: certificate.chain),
      let leaf = chain.first
    else {
      throw TransportError(
        .clientCertificateRequired, "the security token of the client certificate is not open",
        host: host)
    }
    self.chain = chain
    self.key = key
    mark = "/dev/null/client-\(leaf.sha256.map { String($0, radix: 16) }.joined(separator: "-"))"
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
