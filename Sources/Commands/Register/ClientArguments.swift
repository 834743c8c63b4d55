import Arguments
import HTTP
import OAuth
import SDKCore

/// What `register` and `register update` can say of a client.
struct ClientArguments: Sendable {
  var clientName: String?
  var scope: String?
  /// The loopback ports to register, in the order in which logins try them.
  var ports: [UInt16] = []
  var redirectURI: String?
  var method: ClientAuthentication.Method?
  var clientKeyFile: String?
  var clientCertificate: String?
  var identity: IdentityName?
  var certificateSAN: AlternativeName?
  var encryptedResponses = false
  var softwareID: String?
  var softwareVersion: String?
  var softwareStatement: String?
  var contacts: [String] = []
}

/// The kinds of names that a certificate can have beside its subject.
enum AlternativeName: String, CaseIterable, Sendable {
  case dns, uri, ip, email
}

extension ClientArguments {
  static let metadataOptions: [Option<Self>] = [
    .value("scope", "SCOPE", \.scope, "Register this scope, not the profile's")
      .allowingEmpty(),
    .value("client-name", "NAME", \.clientName, "Set the name that people see"),
    .list("callback-port", "PORT", \.ports, "Register a fixed loopback port")
      .more("A login uses the first of them that is free.")
      .exclusive("redirect"),
    .value("redirect-uri", "URI", \.redirectURI, "Register this redirect URI")
      .exclusive("redirect"),
    .choice("auth-method", "METHOD", \.method, "Choose how the client authenticates"),
  ]

  /// The options about keys; `uses` are those of which the option for a key needs one.
  static func keyOptions(keyIsFor uses: String...) -> [Option<Self>] {
    [
      .secret("client-key", \.clientKeyFile, "the client's private key (PEM)").needs(uses),
      .value(
        "client-certificate", "FILE", \.clientCertificate,
        "Use the certificate chain (PEM) of a file"
      ).completing(.file).input(),
      .value(
        "identity", "NAME", \.identity, "Use the certificate of this identity"
      )
      .completing(.dynamic("identities")).excludes("client-certificate", "client-key-file"),
      .flag(
        "encrypted-responses", \.encryptedResponses,
        "Have ID tokens and claims encrypted to this client"),
    ]
  }

  static let softwareOptions: [Option<Self>] = [
    .value("software-id", "ID", \.softwareID, "Name the software, for all installations"),
    .value("software-version", "VERSION", \.softwareVersion, "Set the software's version"),
    .value(
      "software-statement-file", "FILE", \.softwareStatement,
      "Send the JWT that its publisher signed"
    ).completing(.file).input(),
    .list("contact", "ADDRESS", \.contacts, "Set who is responsible for the client"),
  ]

  func metadata(_ context: Context) throws -> RegistrationOptions {
    var options = RegistrationOptions()
    options.clientName = clientName
    options.scope = scope
    options.redirectURI = try chosenRedirectURI()
    options.fallbackRedirectURIs = fallbackRedirectURIs
    options.method = method
    options.softwareID = softwareID
    options.softwareVersion = softwareVersion
    options.softwareStatement = try softwareStatement.map { file in
      try context.softwareStatement(file)
    }
    options.contacts = contacts
    options.encryptedResponses = encryptedResponses
    return options
  }

  /// The redirect URIs of the ports after the first one.
  var fallbackRedirectURIs: [String] { ports.dropFirst().map(Self.redirectURI) }

  private static func redirectURI(port: UInt16) -> String { "http://127.0.0.1:\(port)/callback" }

  /// The redirect URI that the options name; a client that exists may have any kind.
  func chosenRedirectURI(ofExisting exists: Bool = false) throws -> String? {
    if let port = ports.first { return Self.redirectURI(port: port) }
    guard let text = redirectURI else { return nil }
    switch RedirectURI(text)?.kind {
    case .loopback, .privateUse: return text
    case .openScheme, .claimed:
      guard !exists else { return text }
      fallthrough
    case nil:
      throw Failure.usage(
        "the redirect URI must be http://127.0.0.1[:PORT]/PATH, http://[::1][:PORT]/PATH, "
          + "http://localhost[:PORT]/PATH or of a scheme that is a domain name backwards, such as com.example.app:/callback",
        hints: exists
          ? [] : ["a client that exists may have another: sdkctl register --client-id ID"])
    }
  }

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
  init?(_ name: CertificateMetadata.Name) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  fileprivate var name: CertificateMetadata.Name {
    switch self {
    case .dns: .dns
    case .uri: .uri
    case .ip: .ip
    case .email: .email
    }
  }
}
