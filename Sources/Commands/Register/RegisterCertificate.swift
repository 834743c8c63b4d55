import OAuth
import POSIX
import SDKCore

extension Register.Arguments {
  /// What speaks against the options about certificates; `nil` when they make sense.
  var objectionToCertificate: String? {
    guard let method, method.usesCertificate else {
      if clientCertificate != nil {
        return "--client-certificate is for --auth-method tls_client_auth "
          + "and self_signed_tls_client_auth"
      }
      return certificateSAN == nil ? nil : Self.objectionToSAN
    }
    if clientKeyFile != nil, clientCertificate == nil {
      return "--client-key-file needs --client-certificate with --auth-method \(method.rawValue)"
    }
    if clientCertificate == nil, method == .tlsClientAuth || clientID != nil {
      let given = method == .tlsClientAuth ? "" : " with --client-id"
      return "--auth-method \(method.rawValue) needs --client-certificate\(given)"
    }
    return certificateSAN == nil || method == .tlsClientAuth ? nil : Self.objectionToSAN
  }

  /// The certificate of a file, proved to be for the key and valid now; `nil` when none is named.
  ///
  /// The key may be in the same file, which then nobody else may read.
  func credential(_ context: Context) throws(Failure) -> ClientCredential? {
    guard let clientCertificate else { return nil }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileReader.read(clientCertificate, limit: 1 << 18)
    } catch {
      throw Failure(
        .configuration, "file_unreadable", "could not read the client certificate: \(error)")
    }
    let key = try context.privateKey(clientKeyFile ?? clientCertificate)
    let chain: ClientCertificateChain
    do throws(SDKError) {
      chain = try ClientCertificateChain(pem: bytes)
      try chain.requireUsable(with: key, at: context.now())
    } catch {
      throw Failure(error)
    }
    let name = certificateSAN?.name ?? .subject
    guard method != .tlsClientAuth || chain.metadata(name) != nil else {
      let kind = certificateSAN.map { "name of the kind \($0.rawValue)" } ?? "subject"
      throw .usage("could not use the client certificate: it has no \(kind)")
    }
    return ClientCredential(key: key, certificate: chain, name: name)
  }

  private static let objectionToSAN = "--certificate-san is for --auth-method tls_client_auth only"
}

extension Register.AlternativeName {
  fileprivate var name: CertificateMetadata.Name {
    switch self {
    case .dns: .dns
    case .uri: .uri
    case .ip: .ip
    case .email: .email
    }
  }
}
