package import JOSE
public import OAuth
import POSIX

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
  /// - Throws: ``SDKError/Code/invalidRequest`` for a key that cannot be used, or a certificate of
  ///   another key or that is not valid now.
  public init(
    privateKey: String, certificate: ClientCertificateChain? = nil,
    name: CertificateMetadata.Name = .subject
  ) throws(SDKError) {
    let key: SigningKey
    do {
      key = try SigningKey(pem: privateKey)
    } catch {
      throw SDKError(.invalidRequest, "could not use the private key: \(error.message)")
    }
    try certificate?.requireUsable(with: key, at: SystemClock.now())
    self.init(key: key, certificate: certificate, name: name)
  }

  /// What a server registers of the certificate.
  var metadata: CertificateMetadata? { certificate?.metadata(name) }
}

extension ExistingClient {
  var credential: ClientCredential? {
    key.map { key in
      var credential = ClientCredential(
        key: key, certificate: certificate, name: certificateName)
      credential.identity = identity
      return credential
    }
  }
}

extension RegistrationService {
  /// The credential of an identity of the profile: its certificate and its key, which is opened.
  ///
  /// - Throws: ``SDKError/Code/identity`` if there is no such identity, or its key cannot be
  ///   opened; ``SDKError/Code/invalidRequest`` for a certificate that is not valid now.
  public func credential(
    of name: IdentityName, as certificateName: CertificateMetadata.Name = .subject
  ) async throws(SDKError) -> ClientCredential {
    let identity = try await environment.unsealed(
      try environment.identityStore.identity(named: name))
    guard let key = try? ClientIdentities.signingKey(identity, nil) else {
      throw SDKError(
        .invalidRequest, "could not use the identity '\(name)': its key cannot sign",
        subject: name.description)
    }
    try identity.chain.requireUsable(with: key, at: now())
    var credential = ClientCredential(key: key, certificate: identity.chain, name: certificateName)
    credential.identity = name
    return credential
  }

  /// The credential of a client that is registered now: the one that was given, or a new one.
  ///
  /// - Returns: `nil` for a method without a key pair.
  func newCredential(
    for method: ClientAuthentication.Method, _ options: RegistrationOptions,
    at server: ServerMetadata
  ) throws(SDKError) -> ClientCredential? {
    guard method == .privateKeyJWT || method.usesCertificate else { return nil }
    if let given = options.credential { return given }
    guard method != .tlsClientAuth else {
      throw SDKError(.invalidRequest, cause: "an authority must have issued a certificate")
    }
    do {
      guard method.usesCertificate else {
        let algorithm = try ClientAuthentication.keyAlgorithm(for: server)
        return ClientCredential(key: try SigningKey.generate(algorithm))
      }
      let key = try SigningKey.generate(.es256)
      let name = environment.options.programName
      return ClientCredential(
        key: key, certificate: try .selfSigned(key, commonName: name, at: now()))
    } catch let error as OAuthError {
      throw SDKError(cause: error)
    } catch {
      throw SDKError(.unavailable, cause: "no key pair could be made")
    }
  }
}
