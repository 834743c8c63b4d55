import Arguments
import OAuth
import SDKCore

extension ClientArguments {
  /// Refuses options about certificates that the way to authenticate does not use, or lacks.
  ///
  /// `isGiven` is whether the client exists already, so that no certificate is made for it.
  func checkCertificate(isGiven: Bool) throws(ValueError) {
    if method == .foreignAssertion, !isGiven {
      throw ValueError(
        "--auth-method client_assertion is for a client that exists: `register --client-id ID`")
    }
    let hasCertificate = clientCertificate != nil || identity != nil
    if certificateSAN != nil, method != .tlsClientAuth {
      throw ValueError("--certificate-san is for --auth-method tls_client_auth only")
    }
    guard let method, method.usesCertificate else {
      guard hasCertificate else { return }
      throw ValueError(
        "\(identity == nil ? "--client-certificate" : "--identity") is for --auth-method "
          + "tls_client_auth and self_signed_tls_client_auth")
    }
    if clientKeyFile != nil, clientCertificate == nil {
      throw ValueError(
        "--client-key-file needs --client-certificate with --auth-method \(method.rawValue)")
    }
    if !hasCertificate, method == .tlsClientAuth || isGiven {
      throw ValueError(
        "--auth-method \(method.rawValue) needs --client-certificate or --identity"
          + (method == .tlsClientAuth ? "" : " with --client-id"))
    }
  }

  /// Refuses a key that a client which exists does not authenticate with, and the lack of one.
  func checkKeyOfGivenClient() throws(ValueError) {
    if clientKeyFile == nil, method == .privateKeyJWT {
      throw ValueError("--auth-method private_key_jwt needs --client-key-file with --client-id")
    }
    if clientKeyFile != nil, let method, method != .privateKeyJWT, !method.usesCertificate {
      throw ValueError("--client-key-file is for --auth-method private_key_jwt only")
    }
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
    if clientKeyFile == nil { try context.requireProtection(of: file) }
    let key = try clientKeyFile.map { try context.clientKey($0) } ?? file.bytes
    let chain = try ClientCertificateChain(pem: file.bytes)
    let credential = try ClientCredential(
      privateKey: String(decoding: key, as: UTF8.self), certificate: chain,
      name: certificateSAN?.name ?? .subject, at: context.now())
    try requireName(of: chain)
    return credential
  }

  /// Refuses a certificate without the name by which the server is to know the client.
  private func requireName(of chain: ClientCertificateChain?) throws {
    guard method == .tlsClientAuth, chain?.metadata(certificateSAN?.name ?? .subject) == nil
    else { return }
    let kind = certificateSAN.map { "name of the kind \($0.rawValue)" } ?? "subject"
    throw Failure.usage("could not use the client certificate: it has no \(kind)")
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
