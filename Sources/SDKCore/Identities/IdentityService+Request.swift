package import OpenSSL
import Primitives

/// What a certificate request asks for.
public struct IdentityCertificateRequest: Sendable {
  /// The name of the identity; `nil` for that of its first host.
  public var name: IdentityName?
  /// The hosts that the identity will be for; none for that of the profile.
  public var hosts: [IdentityHost] = []
  /// The subject (RFC 4514), such as `CN=alice,O=Example`.
  public var subject = ""
  /// The DNS names among the alternative names.
  public var dnsNames: [String] = []
  /// The IP addresses among the alternative names.
  public var ipAddresses: [String] = []
  /// The mail addresses among the alternative names.
  public var emailAddresses: [String] = []
  /// The URIs among the alternative names.
  public var uris: [String] = []
  /// The new key pair.
  public var keyType = PrivateKeyType.p256
  /// The URI of a key in a security token that is used (RFC 7512); `nil` makes a key pair.
  public var keyURI: String?
  /// Whether the key of the identity of that name is used again.
  public var keepsKey = false
  /// Whether the key of an earlier request of the same name is replaced, whose certificate has not come yet.
  public var replaces = false
  /// The passphrase that a new key is sealed with; `nil` leaves it unsealed.
  public var passphrase: [UInt8]?

  /// Makes an empty request.
  public init() {}

  private var isEmpty: Bool {
    subject.isEmpty && [dnsNames, ipAddresses, emailAddresses, uris].allSatisfy(\.isEmpty)
  }

  /// The content for the key of an identity: what its certificate says, if the request names nothing.
  func content(for identity: Identity) throws(SDKError) -> CertificateRequestContent {
    isEmpty ? CertificateRequestContent(renewing: identity.chain.leaf) : try content()
  }

  func content() throws(SDKError) -> CertificateRequestContent {
    guard !isEmpty else {
      throw SDKError(
        .invalidRequest, cause: "it has neither a subject nor an alternative name")
    }
    return try attempt(as: .invalidRequest) {
      var content = CertificateRequestContent(subject: try SubjectName(subject))
      content.dnsNames = dnsNames
      content.ipAddresses = ipAddresses
      content.emailAddresses = emailAddresses
      content.uris = uris
      return content
    }
  }
}

extension IdentityService {
  /// Makes a certificate request (PKCS #10), and stores its new key until the certificate is imported.
  ///
  /// - Returns: DER, and the name of the identity that it is for.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the subject or a name cannot be used, or the key of
  ///   an earlier request would be lost.
  public func request(
    _ request: IdentityCertificateRequest, unlock: IdentityStore.Unlock? = nil
  ) async throws(SDKError) -> (der: [UInt8], name: IdentityName) {
    try await attempt("could not make the certificate request") {
      let hosts = request.hosts.isEmpty ? try defaultHosts : request.hosts
      let name = try IdentityName(request.name, orOf: hosts)
      let store = store(unlock: unlock)
      if request.keepsKey {
        let identity = try await store.unsealed(try store.identity(named: name))
        let content = try request.content(for: identity)
        return (try Self.encoded(content, try Self.signingKey(of: identity)), name)
      }
      let content = try request.content()
      var opened: SecurityTokenKey?
      if let uri = request.keyURI {
        opened = try await store.securityTokenKey(at: try PKCS11URI(securityToken: uri))
      }
      let key: PrivateKey
      if let opened { key = opened.key } else { key = try Self.generate(request.keyType) }
      let der = try Self.encoded(content, key)
      guard let publicKey = try? key.publicKey.spki else {
        throw SDKError(.unavailable, cause: "no key pair could be made")
      }
      let kept: IdentityKey
      if let opened {
        kept = .securityToken(uri: opened.uri.description)
      } else {
        kept = try await IdentityKey.pem(key.pem).sealed(with: request.passphrase)
      }
      try await store.save(
        RequestedIdentity(
          name: name, hosts: hosts, key: kept, subject: request.subject,
          requestedAt: environment.now(),
          publicKey: publicKey), replaces: request.replaces)
      return (der, name)
    }
  }

  /// A certificate request as PEM.
  public static func pem(request der: [UInt8]) -> String {
    PEM.encode(der, label: "CERTIFICATE REQUEST")
  }

  private static func signingKey(of identity: Identity) throws(SDKError) -> PrivateKey {
    switch identity.key {
    case .pem(let pem): if let key = try? PrivateKey(pem: Array(pem.utf8)) { return key }
    case .securityToken(let uri): if let key = SecurityTokenKeys.opened(uri) { return key }
    case .sealed, .passcodeSealed: break
    }
    throw SDKError(.invalidRequest, cause: "its key cannot sign here")
  }

  package static func generate(_ type: PrivateKeyType) throws(SDKError) -> PrivateKey {
    try attempt { try PrivateKey.generate(type.kind) }
  }

  private static func encoded(
    _ content: CertificateRequestContent, _ key: PrivateKey
  ) throws(SDKError) -> [UInt8] {
    try attempt(as: .invalidRequest) { try CertificateRequest.make(content, signedBy: key) }
  }
}
