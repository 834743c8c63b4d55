import JSON
import Primitives

/// A client that authenticates by the certificate of its handshake (RFC 8705 section 2).
struct CertificateAuthentication {
  let exchange: Exchange
  let client: Client

  static let authority = "tls_client_auth"
  static let selfSigned = "self_signed_tls_client_auth"
  static let methods = [authority, selfSigned]

  func check() async throws(OAuthError) {
    guard let shown = exchange.connection.certificate else {
      throw .invalidClient("the client must show its certificate, at the address for mutual TLS")
    }
    guard shown.isValid(at: exchange.now) else {
      throw .invalidClient("the certificate is not valid now")
    }
    if client.authMethod == Self.selfSigned { return try checkRegistered(shown) }
    let settings = exchange.sandbox.settings
    guard shown.leads(to: settings.clientRoots, over: settings.clientIntermediates) else {
      throw .invalidClient("the certificate leads to no authority that is trusted here")
    }
    let names = CertificateNames(certificate: shown.certificate)
    let isNamed = CertificateNames.members.contains { member in
      client.metadata[member]?.string.map { names.match(member, $0) } ?? false
    }
    guard isNamed else { throw .invalidClient("the certificate has not the registered name") }
  }

  /// The certificate itself was registered in `x5c`, or its key was.
  private func checkRegistered(_ shown: ShownCertificate) throws(OAuthError) {
    let key = shown.certificate.publicKey.jwk.flatMap(VerificationKey.init(jwk:))
    let isKnown = (client.metadata["jwks"]?["keys"]?.array ?? []).contains { jwk in
      if let first = jwk["x5c"]?.strings?.first { return Base64.decode(first) == shown.der }
      return key != nil && VerificationKey(jwk: jwk)?.thumbprint == key?.thumbprint
    }
    guard isKnown else { throw .invalidClient("the certificate is not registered") }
  }
}
