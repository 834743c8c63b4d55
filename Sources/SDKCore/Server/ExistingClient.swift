package import JOSE
import JSON
public import OAuth

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
  package let key: SigningKey?
  /// The certificate of the key, for a client that shows it in the TLS handshake.
  public let certificate: ClientCertificateChain?
  /// The name of the certificate by which the server identifies the client.
  public let certificateName: CertificateMetadata.Name
  /// The identity of the profile whose certificate it is.
  private(set) var identity: IdentityName?

  package init(
    clientID: String, secret: String?, method: ClientAuthentication.Method,
    redirectURI: String?, key: SigningKey? = nil, certificate: ClientCertificateChain? = nil,
    certificateName: CertificateMetadata.Name = .subject
  ) {
    self.clientID = clientID
    self.secret = secret
    self.method = method
    self.redirectURI = redirectURI
    self.key = key
    self.certificate = certificate
    self.certificateName = certificateName
  }

  /// Describes a client.
  ///
  /// - Parameters:
  ///   - clientID: the client id.
  ///   - secret: the client secret, for the methods that use one.
  ///   - method: how the client authenticates.
  ///   - redirectURI: the redirect URI that the server allows; `nil` has one chosen.
  ///   - credential: the key pair, for the methods that use one.
  public init(
    clientID: String, secret: String? = nil, method: ClientAuthentication.Method = .none,
    redirectURI: String? = nil, credential: ClientCredential?
  ) {
    self.init(
      clientID: clientID, secret: secret, method: method, redirectURI: redirectURI,
      key: credential?.key, certificate: credential?.certificate,
      certificateName: credential?.name ?? .subject)
    identity = credential?.identity
  }

  /// The response that a server would have sent to its registration.
  var document: JSONObject {
    let known: [String: JSON?] = [
      "client_id": .string(clientID),
      "client_secret": secret.map { .string($0) },
      "redirect_uris": redirectURI.map { .strings([$0]) },
    ]
    let own = ClientMetadata.authentication(
      method, key: key, certificate: certificate?.metadata(certificateName))
    return JSONObject(present: known).merging(own, uniquingKeysWith: { $1 })
  }
}
