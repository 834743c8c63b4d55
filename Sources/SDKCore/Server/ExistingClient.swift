package import JOSE
import JSON
public import OAuth
import POSIX
public import Primitives

/// A client that was registered at the server by other means.
public struct ExistingClient: Sendable {
  /// The client id.
  public let clientID: String
  /// The client secret, for the methods that use one.
  public let secret: String?
  /// How the client authenticates.
  public let method: ClientAuthentication.Method
  /// The redirect URI that the server allows; `nil` has one chosen.
  public let redirectURI: String?
  /// Further redirect URIs that the server allows, with other loopback ports.
  public var fallbackRedirectURIs: [String] = []
  /// Where its assertions come from, for the method that sends those of another issuer.
  public var assertionSource: AssertionSource?
  let credential: ClientCredential?

  /// Describes a client.
  public init(
    clientID: String, secret: String? = nil, method: ClientAuthentication.Method = .none,
    redirectURI: String? = nil, credential: ClientCredential? = nil
  ) {
    self.clientID = clientID
    self.secret = secret
    self.method = method
    self.redirectURI = redirectURI
    self.credential = credential
  }

  /// The response that a server would have sent to its registration.
  var document: JSONObject {
    let known: [String: JSON?] = [
      "client_id": .string(clientID),
      "client_secret": secret.map { .string($0) },
      "redirect_uris": redirectURI.map { .strings([$0] + fallbackRedirectURIs) },
    ]
    let own = ClientMetadata.authentication(
      method, key: credential?.key, certificate: credential?.metadata)
    return JSONObject(present: known).merging(own, uniquingKeysWith: { $1 })
  }
}

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

  var metadata: CertificateMetadata? { certificate?.metadata(name) }
}
