package import JOSE
public import OAuth
import POSIX
public import Primitives

/// A key pair that a client authenticates with, if needed with its certificate.
public struct ClientCredential: Sendable, Hashable {
  package let key: SigningKey
  /// The certificate of the key; `nil` for a key that signs assertions.
  public let certificate: ClientCertificateChain?
  /// The name of the certificate by which the server identifies the client.
  public let name: CertificateMetadata.Name
  /// The identity of the profile that it is; `nil` for one that is stored with the registration.
  var identity: IdentityName?

  package init(
    key: SigningKey, certificate: ClientCertificateChain? = nil,
    name: CertificateMetadata.Name = .subject
  ) {
    self.key = key
    self.certificate = certificate
    self.name = name
  }

  /// Reads a private key.
  ///
  /// - Parameters:
  ///   - privateKey: PKCS#8 or a traditional format, PEM, not encrypted.
  ///   - certificate: the certificate of the key, for the methods that show one.
  ///   - name: by which name of the certificate the server knows the client.
  ///   - now: when the certificate must be valid; `nil` for now.
  /// - Throws: ``SDKError/Code/invalidRequest`` for a key that cannot be used, or a certificate of
  ///   another key or that is not valid now.
  public init(
    privateKey: String, certificate: ClientCertificateChain? = nil,
    name: CertificateMetadata.Name = .subject, at now: Timestamp? = nil
  ) throws(SDKError) {
    let key = try attempt("could not use the client key", as: .invalidRequest) {
      try SigningKey(pem: privateKey)
    }
    try certificate?.requireUsable(with: key, at: now ?? SystemClock.now())
    self.init(key: key, certificate: certificate, name: name)
  }

  /// What a server registers of the certificate.
  var metadata: CertificateMetadata? { certificate?.metadata(name) }
}
