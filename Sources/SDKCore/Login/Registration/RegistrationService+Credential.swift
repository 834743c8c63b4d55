import JOSE
public import OAuth
import POSIX

extension RegistrationService {
  /// The credential of an identity of the profile: its certificate and its key, which is opened.
  ///
  /// - Throws: ``SDKError/Code/identity`` if there is no such identity, or its key cannot be
  ///   opened; ``SDKError/Code/invalidRequest`` for a certificate that is not valid now.
  public func credential(
    of name: IdentityName, as certificateName: CertificateMetadata.Name = .subject
  ) async throws(SDKError) -> ClientCredential {
    let identity = try await records.openKey(
      try identities.identity(named: name))
    guard let key = try? ClientIdentities.signingKey(identity, nil) else {
      throw SDKError(
        .invalidRequest, "could not use the identity '\(name)': its key cannot sign",
        subject: name.description)
    }
    try identity.chain.requireUsable(with: key, at: environment.now())
    var credential = ClientCredential(key: key, certificate: identity.chain, name: certificateName)
    credential.identity = name
    return credential
  }

  /// The credential of a client that is registered now: the one that was given, or a new one.
  func newCredential(
    for method: ClientAuthentication.Method, _ options: RegistrationOptions,
    at server: ServerMetadata
  ) throws(SDKError) -> ClientCredential? {
    guard method == .privateKeyJWT || method.usesCertificate else { return nil }
    if let given = options.credential { return given }
    guard method != .tlsClientAuth else {
      throw SDKError(.invalidRequest, cause: "an authority must have issued a certificate")
    }
    return try attempt {
      guard method.usesCertificate else {
        let algorithm = try ClientAuthentication.keyAlgorithm(for: server)
        return ClientCredential(key: try SigningKey.generate(algorithm))
      }
      let key = try SigningKey.generate(.es256)
      let name = login.programName
      return ClientCredential(
        key: key, certificate: try .selfSigned(key, commonName: name, at: environment.now()))
    }
  }
}
