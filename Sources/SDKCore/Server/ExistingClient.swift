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
  /// Further redirect URIs that the server allows, with other loopback ports.
  public var fallbackRedirectURIs: [String] = []
  /// Where its assertions come from, for the method that sends those of another issuer.
  public var assertionSource: AssertionSource?
  /// The key pair, for the methods that use one.
  let credential: ClientCredential?

  /// The certificate of the key, for a client that shows it in the TLS handshake.
  public var certificate: ClientCertificateChain? { credential?.certificate }

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
