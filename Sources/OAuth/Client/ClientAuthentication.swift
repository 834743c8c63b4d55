package import HTTP
package import JOSE
import JSON
import POSIX
import Primitives

/// How a client authenticates at an endpoint (RFC 6749 section 2.3, RFC 7523, RFC 8705).
public struct ClientAuthentication: Sendable {
  /// The supported methods of the IANA registry.
  public enum Method: String, Sendable, CaseIterable {
    /// No credential: a public client.
    case none
    /// The secret as HTTP Basic credentials (RFC 6749 section 2.3.1).
    case basic = "client_secret_basic"
    /// The secret in the body of the request (RFC 6749 section 2.3.1).
    case post = "client_secret_post"
    /// A JWT with a MAC by the secret (OpenID Connect Core 1.0 section 9).
    case secretJWT = "client_secret_jwt"
    /// A JWT signed with the client's key (RFC 7523 section 2.2).
    case privateKeyJWT = "private_key_jwt"
    /// A JWT that another issuer has signed about the client (RFC 7523 section 2.2); not a method of the
    /// registry, because no server registers it.
    case foreignAssertion = "client_assertion"
    /// A certificate of an authority, shown in the TLS handshake (RFC 8705 section 2.1).
    case tlsClientAuth = "tls_client_auth"
    /// A self-signed certificate, shown in the TLS handshake (RFC 8705 section 2.2).
    case selfSignedTLSClientAuth = "self_signed_tls_client_auth"

    /// Whether the client signs a token at each request.
    var isAssertion: Bool { self == .secretJWT || self == .privateKeyJWT }

    package var usesSecret: Bool { self == .basic || self == .post || self == .secretJWT }

    /// Whether the client authenticates in the TLS handshake.
    public var usesCertificate: Bool {
      self == .tlsClientAuth || self == .selfSignedTLSClientAuth
    }
  }

  package let clientID: String
  package internal(set) var method: Method
  /// The registered method, where another one is used.
  var registeredMethod: Method?
  let secret: String
  /// The JWT of another issuer, read for this use; `nil` if there is no source of one.
  package var foreignAssertion: String?
  private let key: SigningKey?
  private let certificate: ClientCertificate?
  private let algorithm: JWSAlgorithm
  var issuer: String?
  /// Its token endpoint, as it is announced.
  var tokenEndpoint: String?
  /// Whether both halves of a Basic credential are form-encoded (RFC 6749 section 2.3.1).
  ///
  /// `nil` tries that first, and the unencoded text if the server refuses the client.
  package var encodesBasic: Bool?
  /// Whether the endpoint announces that it takes a secret in the body, too.
  var takesSecretInBody = false
  /// Whether the user gave the client, instead of registering it.
  package var isGiven = false
  /// The credential forms that the server accepted before, by client.
  package var acceptedForms: (any ServerCache<CredentialForm>)?
  var now: @Sendable () -> Timestamp = { SystemClock.now() }

  /// Takes the credentials of the client; a method without its credential becomes `none`.
  ///
  /// The algorithm is the one with which the secret makes assertions.
  package init(
    clientID: String, method: Method, secret: String?, key: SigningKey? = nil,
    algorithm: JWSAlgorithm = .hs256, certificate: ClientCertificate? = nil,
    foreignAssertion: String? = nil
  ) {
    self.clientID = clientID
    let hasCredential =
      switch method {
      case .tlsClientAuth, .selfSignedTLSClientAuth: certificate != nil
      case .privateKeyJWT: key != nil
      case .foreignAssertion: foreignAssertion != nil
      case .none, .basic, .post, .secretJWT: secret != nil
      }
    self.method = hasCredential ? method : .none
    self.secret = secret ?? ""
    self.key = key
    self.algorithm = algorithm
    self.certificate = certificate
    self.foreignAssertion = foreignAssertion
  }

  /// Whether the client has a credential (RFC 6749 section 2.1).
  package var isConfidential: Bool { method != .none }

  /// Adds the client authentication to a form request.
  package func authenticate(
    _ url: HTTPURL, _ parameters: FormParameters, as form: CredentialForm? = nil
  ) throws(OAuthError) -> HTTPRequest {
    let form = form ?? forms(at: url).first ?? .formEncoded
    var parameters = parameters
    var fields: HTTPFields = []
    switch method {
    case .none, .tlsClientAuth, .selfSignedTLSClientAuth:
      parameters["client_id"] = clientID
    case .post:
      parameters["client_id"] = clientID
      parameters["client_secret"] = secret
    case .basic where form == .body:
      parameters["client_id"] = clientID
      parameters["client_secret"] = secret
    case .basic:
      // RFC 6749 section 3.2.1 allows it, and some servers require it.
      parameters["client_id"] = clientID
      let halves = [clientID, secret].map { form == .raw ? $0 : FormParameters.encode($0) }
      let pair = halves.joined(separator: ":")
      let value = "Basic \(Base64.encode(Array(pair.utf8)))"
      fields.append(HTTPField(known: "Authorization", value))
    case .secretJWT, .privateKeyJWT:
      // RFC 7521 section 4.2 can do without the client id, some servers cannot.
      parameters["client_id"] = clientID
      parameters["client_assertion_type"] = ClientAssertion.type
      parameters["client_assertion"] = try assertion(
        for: audience(form, at: url) ?? url.description)
    case .foreignAssertion:
      parameters["client_id"] = clientID
      parameters["client_assertion_type"] = ClientAssertion.type
      parameters["client_assertion"] = foreignAssertion
    }
    var request = HTTPRequest.form(url, parameters, fields: fields)
    if method.usesCertificate { request.clientCertificate = certificate }
    return request
  }

  /// An assertion of the client about a user, with which a server that trusts it logs the user in.
  package func assertion(about subject: String, to audience: String) throws(OAuthError) -> String {
    guard let key else {
      throw OAuthError(.unsupported, "the client has no key of its own to sign with")
    }
    var assertion = ClientAssertion(clientID: clientID, audience: audience, now: now())
    assertion.subject = subject
    do {
      return try key.sign(header: ["typ": "JWT"], payload: try assertion.claims())
    } catch {
      throw OAuthError(.unsupported, "the assertion cannot be signed: \(error.message)")
    }
  }

  /// Signs with the client's key, or else with its secret.
  func sign(header: JSONObject, payload: [UInt8]) throws(JOSEError) -> String {
    if let key, !method.usesSecret { return try key.sign(header: header, payload: payload) }
    return try JWS.sign(
      header: header, payload: payload, secret: Array(secret.utf8), algorithm: algorithm)
  }

  private func assertion(for audience: String) throws(OAuthError) -> String {
    let assertion = ClientAssertion(clientID: clientID, audience: audience, now: now())
    do {
      return try sign(header: ["typ": "JWT"], payload: try assertion.claims())
    } catch {
      throw OAuthError(.unsupported, "the client cannot prove itself: \(error.message)")
    }
  }

  /// The best method that both sides support; servers that announce none support Basic (RFC 8414).
  ///
  /// A secret is preferred if it is accepted: every server that accepts one supports Basic.
  package static func preferred(by metadata: ServerMetadata) -> Method {
    metadata.first(
      of: [.basic, .post, .privateKeyJWT, .secretJWT], in: "token_endpoint_auth_methods_supported",
      unannounced: .basic) ?? Method.none
  }

  /// The algorithm to make a key pair for: ES256 unless the server announces others only.
  package static func keyAlgorithm(
    for server: ServerMetadata
  ) throws(OAuthError) -> JWSAlgorithm {
    let algorithm = server.first(
      of: [JWSAlgorithm.es256, .rs256, .ps256, .edDSA, .ed25519, .es384, .es512],
      in: "token_endpoint_auth_signing_alg_values_supported", unannounced: .es256)
    guard let algorithm else {
      throw OAuthError(
        .unsupported, "\(server.issuer) supports no signature algorithm of this program")
    }
    return algorithm
  }

  /// The client with its authentication for all endpoints of one server.
  package func at(_ server: ServerMetadata) -> ClientAuthentication {
    var client = self
    client.issuer = server.issuer.text
    client.tokenEndpoint = server.document[ServerMetadata.Endpoint.token.rawValue]?.string
    return client
  }

  /// The client with its authentication for one endpoint, for which the server may announce other
  /// methods than for the token endpoint (RFC 8414 section 2).
  ///
  /// The registered method is kept if it is announced, or if the client's credential fits
  /// none of the announced ones. It is also tried after another one was refused: some servers
  /// announce fewer methods than they accept.
  package func at(
    _ endpoint: ServerMetadata.Endpoint, of server: ServerMetadata
  ) -> ClientAuthentication {
    var client = at(server)
    if endpoint == .revocation, method == .basic {
      let announced =
        server.words("revocation_endpoint_auth_methods_supported")
        ?? server.words("token_endpoint_auth_methods_supported") ?? []
      client.takesSecretInBody = announced.contains(identifier: Method.post.rawValue)
    }
    guard let offered = server.words("\(endpoint.name)_endpoint_auth_methods_supported"),
      !offered.contains(identifier: method.rawValue),
      let other = alternatives.first(where: { offered.contains(identifier: $0.rawValue) })
    else { return client }
    client.registeredMethod = method
    client.method = other
    return client
  }

  /// The client with its registered method; `nil` if it uses that already.
  var asRegistered: ClientAuthentication? {
    guard let registeredMethod else { return nil }
    var client = self
    client.method = registeredMethod
    client.registeredMethod = nil
    return client
  }

  /// The methods that use the same credential.
  private var alternatives: [Method] { method.usesSecret ? [.basic, .post, .secretJWT] : [] }
}

/// A token that authenticates a client for one request (RFC 7523 sections 2.2 and 3), or
/// names a user (section 2.1).
struct ClientAssertion: Sendable {
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  let clientID: String
  /// The server that the assertion is for: its issuer, or one of its endpoints.
  let audience: String
  let now: Timestamp
  /// The user that it names; `nil` for the client itself.
  var subject: String?

  /// The claims, with an identifier that no other assertion has.
  func claims() throws(JOSEError) -> [UInt8] {
    let claims: JSON = [
      "iss": .string(clientID), "sub": .string(subject ?? clientID), "aud": .string(audience),
      "jti": .string(try tokenIdentifier()), "iat": .time(now),
      "exp": .time(now + Self.lifetime),
    ]
    return Array(claims.serialized().utf8)
  }

  private static let lifetime: Int64 = 60
}
