import HTTP
package import JOSE
public import JSON
public import OAuth
public import Primitives

/// What the authorization server knows this installation as.
public struct Registration: Sendable, Hashable {
  /// Where a client id comes from.
  public enum Source: String, Sendable {
    /// Registered from here (RFC 7591).
    case dynamic
    /// Given by a person.
    case given
  }

  /// The issuer that knows the client.
  public let issuer: String
  /// Where the client id comes from.
  public let source: Source
  /// When it was registered or given.
  public let obtained: Timestamp
  /// The client information response (RFC 7591 section 3.2.1), secrets included; empty texts,
  /// which some servers send for a member that they do not have, are left out.
  package var client: JSONObject {
    didSet { client = Self.withoutEmptyTexts(client) }
  }
  package var key: SigningKey?
  /// The certificate of that key, where the client shows one in the TLS handshake.
  public package(set) var certificate: ClientCertificateChain?
  /// Where the assertion comes from that the client authenticates with; `nil` for another method.
  public package(set) var assertionSource: AssertionSource?
  package var encryptionKey: DecryptionKey?
  /// The names of its secret members that are sealed, and not here until the passcode is entered.
  var sealedMembers: Set<String> = []
  /// The endpoints that its credential is for; `nil` if they are not known.
  var endpoints: SecretEndpoints?
  /// What became of the client that was replaced: each step with its outcome.
  ///
  /// Known only of a registration that has just been made.
  public package(set) var formerSteps: [LogoutStep] = []
  /// The grants that the server did not register though they were asked for.
  ///
  /// Known only of a registration that has just been made.
  public package(set) var refusedGrants: [String] = []

  package init(
    issuer: String, source: Source, obtained: Timestamp, client: JSONObject,
    key: SigningKey? = nil, certificate: ClientCertificateChain? = nil,
    encryptionKey: DecryptionKey? = nil
  ) {
    self.issuer = issuer
    self.source = source
    self.obtained = obtained
    self.client = Self.withoutEmptyTexts(client)
    self.key = key
    self.certificate = certificate
    self.encryptionKey = encryptionKey
  }

  private static func withoutEmptyTexts(_ client: JSONObject) -> JSONObject {
    client.filter { $0.value != "" }
  }

  /// Whether it was registered or given to `register`, and not merely named by the profile.
  public var isKept: Bool { obtained > 0 }

  /// The client id.
  public var clientID: String { client["client_id"]?.string ?? "" }

  /// Whether the client has a credential of its own, or had a certificate that is gone.
  public var isConfidential: Bool {
    authentication.isConfidential || method.usesCertificate || hasSealedCredential
  }

  /// Whether some of it takes the passcode of the profile.
  public var isSealed: Bool { !sealedMembers.isEmpty }

  private var hasSealedCredential: Bool {
    method.usesSecret && sealedMembers.contains("client.client_secret")
      || sealedMembers.contains("key")
  }

  /// Whether its tokens are bound to a key, by the profile or by what was registered (RFC 9449).
  func bindsTokens(of profile: Profile) -> Bool {
    profile.bindsTokens || client[DPoP.bindsTokens]?.bool == true
  }

  /// Whether the server lets the client manage its registration (RFC 7592).
  public var isManaged: Bool {
    (client["registration_access_token"]?.string != nil
      || sealedMembers.contains("client.registration_access_token"))
      && client["registration_client_uri"]?.string != nil
  }

  /// The registered redirect URIs.
  public var redirectURIs: [String] { client["redirect_uris"]?.strings ?? [] }

  /// The settings of a profile of which the server knows other values, from this registration.
  public func settingsLacking(from profile: Profile) -> [String] {
    guard source == .dynamic else { return [] }
    return profile.settings.keys.filter { !$0.isRegistered(in: client, of: profile) }.map(\.name)
  }

  /// By which name of its certificate the server knows the client; `nil` for none.
  public var certificateName: CertificateMetadata.Name? {
    CertificateMetadata.Name.allCases.first { client[$0.rawValue]?.string?.isEmpty == false }
  }

  /// The scope that the server registered, when it said so.
  public var scope: String? { client["scope"]?.string }

  /// When the client secret expires; `nil` for never.
  public var secretExpires: Timestamp? {
    client["client_secret_expires_at"]?.time.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether the client authenticates with a secret that has expired.
  public func hasExpiredSecret(at now: Timestamp) -> Bool {
    guard method.usesSecret, let secretExpires else { return false }
    return secretExpires <= now
  }

  /// How the client authenticates: as registered, or not at all if it lacks the credential for that.
  public var authenticationMethod: ClientAuthentication.Method {
    hasSealedCredential ? method : authentication.method
  }

  package var encryption: ResponseEncryption {
    ResponseEncryption(key: encryptionKey, client: client)
  }

  /// Whether the client has a key for encrypted responses, but the server will not encrypt ID tokens.
  ///
  /// Then those in clear count (OpenID Connect Registration 1.0 section 2).
  public var lacksEncryption: Bool {
    encryptionKey != nil && !encryption.isNegotiated(.idToken)
  }

  package var authentication: ClientAuthentication {
    let secret = client["client_secret"]?.string
    let algorithm = client["token_endpoint_auth_signing_alg"]?.string
    return ClientAuthentication(
      clientID: clientID, method: method, secret: secret, key: key,
      algorithm: algorithm.flatMap(JWSAlgorithm.init(identifier:)) ?? .hs256,
      certificate: clientCertificate,
      // It is read when it is sent: see `AuthorizationServer.client`.
      foreignAssertion: assertionSource.map { _ in "" })
  }

  /// The registered method; one that is not supported here is taken for Basic.
  var method: ClientAuthentication.Method {
    client["token_endpoint_auth_method"]?.string.flatMap(ClientAuthentication.Method.init)
      ?? .basic
  }
}

extension Registration {
  var clientCertificate: ClientCertificate? {
    guard let certificate, let key else { return nil }
    return ClientCertificate(
      chain: Array(certificate.pem.utf8),
      key: key.securityTokenURI.map { .securityToken(uri: $0) } ?? .pem(Array(key.pem.utf8)))
  }
}

extension Registration {
  /// Refuses a certificate that is gone or not valid now, before there is a connection.
  func requireCertificate(at now: Timestamp, _ profile: ProfileName) throws(SDKError) {
    var cause = "the client certificate is gone"
    if let certificate {
      guard let invalidity = certificate.invalidity(at: now) else { return }
      cause = "the client certificate cannot be used: \(invalidity)"
    }
    throw SDKError(
      .identity, cause: cause, subject: profile.description, remedy: certificateRenewal)
  }

  private var certificateRenewal: Remedy {
    let isMade = method == .selfSignedTLSClientAuth && source == .dynamic
    return .register(
      Remedy.Registering(
        isManaged && source == .dynamic ? .updating : .replacing,
        client: source == .given ? .existing(clientID) : .new,
        authenticationMethod: method.rawValue, needsCertificate: !isMade))
  }
}

extension Registration {
  func updated(
    by response: JSONObject, over sent: JSONObject, new: ClientCredential? = nil,
    newEncryptionKey: DecryptionKey? = nil
  ) -> Registration {
    var sent = sent
    // A new secret is valid for as long as the response says, not as long as the old one.
    if response["client_secret"] != nil { sent["client_secret_expires_at"] = nil }
    var updated = self
    updated.client = sent.merging(response, uniquingKeysWith: { $1 })
    updated.key = new?.key ?? key
    updated.certificate = new?.certificate ?? certificate
    updated.encryptionKey = newEncryptionKey ?? encryptionKey
    updated.dropUnusedCredentials(given: response)
    return updated
  }

  /// A credential of a method that was given up is not kept, unless the server has just sent it.
  private mutating func dropUnusedCredentials(given response: JSONObject) {
    if !method.usesSecret, response["client_secret"] == nil {
      client["client_secret"] = nil
      client["client_secret_expires_at"] = nil
    }
    if method != .privateKeyJWT, !method.usesCertificate { key = nil }
    if !method.usesCertificate { certificate = nil }
  }

  /// What anyone may see of the client information: not the credentials.
  public var publicMetadata: JSONObject {
    client.filter { name, _ in !Self.secretEndings.contains { name.hasSuffix($0) } }
  }

  /// How the names of credentials end, those of extensions included.
  private static let secretEndings = ["secret", "token", "password", "private_key"]
}
