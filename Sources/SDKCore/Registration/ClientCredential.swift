package import JOSE
public import OAuth

/// What a client proves itself with, where that is no secret: a key pair, perhaps certified.
public struct ClientCredential: Sendable, Hashable {
  package let key: SigningKey
  /// The certificate of the key; `nil` for a key that signs assertions.
  public let certificate: ClientCertificateChain?
  /// By which name of the certificate a server is to know the client.
  public let name: CertificateMetadata.Name

  package init(
    key: SigningKey, certificate: ClientCertificateChain? = nil,
    name: CertificateMetadata.Name = .subject
  ) {
    self.key = key
    self.certificate = certificate
    self.name = name
  }

  /// What a server is told of the certificate.
  var metadata: CertificateMetadata? { certificate?.metadata(name) }
}

extension GivenClient {
  var credential: ClientCredential? {
    key.map { ClientCredential(key: $0, certificate: certificate, name: certificateName) }
  }
}

extension RegistrationService {
  /// The credential of a client that is registered now: the one that was given, or a new one.
  ///
  /// - Returns: `nil` for a method without a key pair.
  func newCredential(
    for method: ClientAuthentication.Method, _ options: RegistrationOptions,
    at server: ServerMetadata, _ action: String
  ) throws(SDKError) -> ClientCredential? {
    guard method == .privateKeyJWT || method.usesCertificate else { return nil }
    if let given = options.credential { return given }
    guard method != .tlsClientAuth else {
      throw SDKError(.invalidRequest, "\(action): an authority must have issued a certificate")
    }
    do {
      guard method.usesCertificate else {
        let algorithm = try ClientAuthentication.keyAlgorithm(for: server)
        return ClientCredential(key: try SigningKey.generate(algorithm))
      }
      let key = try SigningKey.generate(.es256)
      return ClientCredential(key: key, certificate: try .selfSigned(key, at: now()))
    } catch let error as OAuthError {
      throw SDKError(error, action)
    } catch {
      throw SDKError(.unavailable, "\(action): no key pair could be made")
    }
  }
}
