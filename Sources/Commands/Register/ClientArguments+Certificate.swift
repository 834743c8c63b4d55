import JOSE
import OAuth
import SDKCore

extension ClientArguments {
  /// Why the options about certificates cannot be used together; `nil` if they can.
  ///
  /// `isGiven` is whether the client exists already, so that no certificate is made for it.
  func certificateConflict(isGiven: Bool) -> String? {
    if identity != nil, clientCertificate != nil || clientKeyFile != nil {
      return "--identity excludes --client-certificate and --client-key-file"
    }
    guard let method, method.usesCertificate else {
      if identity != nil {
        return "--identity is for --auth-method tls_client_auth and self_signed_tls_client_auth"
      }
      if clientCertificate != nil {
        return "--client-certificate is for --auth-method tls_client_auth "
          + "and self_signed_tls_client_auth"
      }
      return certificateSAN == nil ? nil : Self.conflictOfSAN
    }
    if clientKeyFile != nil, clientCertificate == nil {
      return "--client-key-file needs --client-certificate with --auth-method \(method.rawValue)"
    }
    if clientCertificate == nil, identity == nil, method == .tlsClientAuth || isGiven {
      let given = method == .tlsClientAuth ? "" : " with --client-id"
      return "--auth-method \(method.rawValue) needs --client-certificate\(given), or --identity"
    }
    return certificateSAN == nil || method == .tlsClientAuth ? nil : Self.conflictOfSAN
  }

  /// The certificate of a file, checked to be for the key and valid now; `nil` if none is named.
  ///
  /// If the key is in the same file, nobody else may be able to read that.
  func credential(
    _ context: Context, _ session: ProfileSession
  ) async throws -> ClientCredential? {
    if let identity {
      let credential = try await session.registration.credential(
        of: identity, as: certificateSAN?.name ?? .subject)
      try requireName(of: credential.certificate)
      return credential
    }
    guard let clientCertificate else { return nil }
    let file = try context.readKeys(clientCertificate, "client certificate")
    let key: SigningKey
    if let clientKeyFile {
      key = try context.privateKey(clientKeyFile)
    } else {
      try context.requireProtection(of: file)
      key = try context.signingKey(file.bytes)
    }
    let chain = try ClientCertificateChain(pem: file.bytes)
    try chain.requireUsable(with: key, at: context.now())
    try requireName(of: chain)
    return ClientCredential(key: key, certificate: chain, name: certificateSAN?.name ?? .subject)
  }

  /// Refuses a certificate without the name by which the server is to know the client.
  private func requireName(of chain: ClientCertificateChain?) throws {
    guard method == .tlsClientAuth, chain?.metadata(certificateSAN?.name ?? .subject) == nil
    else { return }
    let kind = certificateSAN.map { "name of the kind \($0.rawValue)" } ?? "subject"
    throw Failure.usage("could not use the client certificate: it has no \(kind)")
  }

  private static var conflictOfSAN: String {
    "--certificate-san is for --auth-method tls_client_auth only"
  }
}

extension AlternativeName {
  fileprivate var name: CertificateMetadata.Name {
    switch self {
    case .dns: .dns
    case .uri: .uri
    case .ip: .ip
    case .email: .email
    }
  }
}
