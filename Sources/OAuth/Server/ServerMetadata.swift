public import HTTP
package import JOSE
package import JSON
import Primitives

/// The metadata of an authorization server (RFC 8414, OpenID Connect Discovery 1.0).
package struct ServerMetadata: Sendable, Hashable {
  package let issuer: Issuer
  /// The document, with what this type does not name.
  package let document: JSONObject
  /// `nil` for a server with one issuer.
  package let tenantIssuer: TenantIssuer?
  /// The members that others have replaced, as they were in the document.
  var replaced: JSONObject = [:]

  /// Reads a document of the issuer for which it was requested.
  ///
  /// An endpoint is checked when it is used: an invalid one that is not used is no error.
  ///
  /// - Throws: ``OAuthError`` `untrusted` if the document is another issuer's
  ///   (RFC 8414 section 3.3).
  package init(_ document: JSONObject, for issuer: Issuer) throws(OAuthError) {
    guard let named = document["issuer"]?.string else {
      throw OAuthError(.malformed, "the metadata of \(issuer) names no issuer")
    }
    tenantIssuer = TenantIssuer(named, requested: issuer.text)
    guard sameIdentifier(named, issuer.text) || tenantIssuer != nil else {
      var error = OAuthError(
        .untrusted,
        "the metadata of \(issuer) names another issuer, '\(printable(named, limit: 200))'")
      let other = try? Issuer(named)
      if other?.url.sharesOrigin(with: issuer.url) == true {
        error.reason = .namedIssuer(named)
      }
      throw error
    }
    self.issuer = issuer
    self.document = document
  }

  package enum Endpoint: String, CaseIterable, Sendable {
    case authorization = "authorization_endpoint"
    case pushedAuthorization = "pushed_authorization_request_endpoint"
    case deviceAuthorization = "device_authorization_endpoint"
    case token = "token_endpoint"
    case registration = "registration_endpoint"
    case revocation = "revocation_endpoint"
    case introspection = "introspection_endpoint"
    case userinfo = "userinfo_endpoint"
    case keys = "jwks_uri"
    case endSession = "end_session_endpoint"
    /// Ours: no standard has it. See docs/vendors.md.
    case clientValidation = "client_validation_endpoint"

    /// The endpoint's name in words and as a key of `endpoints` in a profile.
    package var name: String {
      switch self {
      case .keys: "jwks"
      case .pushedAuthorization: "pushedAuthorization"
      case .deviceAuthorization: "deviceAuthorization"
      case .endSession: "endSession"
      case .clientValidation: "clientValidation"
      default: String(rawValue.prefix { $0 != "_" })
      }
    }
  }

  /// The URL of an endpoint; `nil` if the server does not have it, which some servers write as an empty text.
  package func url(of endpoint: Endpoint) throws(OAuthError) -> HTTPURL? {
    guard let value = document[endpoint.rawValue], ![.null, ""].contains(value) else { return nil }
    guard let text = value.string else {
      throw OAuthError(.malformed, "the metadata member '\(endpoint.rawValue)' is \(value.kind)")
    }
    let url: HTTPURL
    do {
      url = try HTTPURL(text)
    } catch {
      throw OAuthError(
        .malformed, "the metadata member '\(endpoint.rawValue)' is not a usable URL: \(error)")
    }
    guard url.scheme == .https || issuer.url.scheme == .http else {
      throw OAuthError(.untrusted, "the metadata member '\(endpoint.rawValue)' is an http URL")
    }
    return url
  }

  package func required(_ endpoint: Endpoint) throws(OAuthError) -> HTTPURL {
    guard let url = try url(of: endpoint) else {
      throw OAuthError(
        .unsupported, "\(issuer) offers no \(endpoint.name) endpoint",
        reason: .missingEndpoint(endpoint))
    }
    return url
  }

  /// Whether the server has endpoints, at URLs that can be used.
  package func offers(_ endpoints: [Endpoint]) -> Bool {
    endpoints.allSatisfy { endpoint in ((try? url(of: endpoint)) ?? nil) != nil }
  }

  /// A list of words, such as `grant_types_supported`; `nil` if the document does not have it.
  package func words(_ member: String) -> [String]? { document[member]?.strings }

  /// The first value of an order that the server names in a list; `nil` if it names none of them.
  ///
  /// A server without the list counts as one that names `unannounced`.
  func first<Value: RawRepresentable<String>>(
    of order: [Value], in member: String, unannounced: Value? = nil
  ) -> Value? {
    guard let offered = words(member) else { return unannounced }
    return order.first { offered.contains($0.rawValue) }
  }

  /// The announced signature algorithms of ID tokens, without shared secrets and `none`.
  var signatureAlgorithms: Set<JWSAlgorithm> {
    let announced = words("id_token_signing_alg_values_supported") ?? ["RS256"]
    return Set(announced.compactMap(JWSAlgorithm.init(identifier:)))
      .intersection(JWSAlgorithm.asymmetric)
  }

  /// Whether the server supports OpenID Connect: it announces the scope, or what only such
  /// servers announce (OpenID Connect Discovery 1.0 section 3 requires both).
  package var speaksOpenIDConnect: Bool {
    announces(scope: "openid")
      || ["subject_types_supported", "id_token_signing_alg_values_supported"].contains {
        words($0)?.isEmpty == false
      }
  }

  package func announces(scope: String) -> Bool {
    words("scopes_supported")?.contains(scope) ?? false
  }

  /// Whether authorization requests must be pushed (RFC 9126 section 5).
  package var requiresPushedAuthorization: Bool {
    document["require_pushed_authorization_requests"]?.bool ?? false
  }

  /// Whether authorization requests must be signed (RFC 9101 section 10.5).
  package var requiresSignedRequest: Bool {
    document["require_signed_request_object"]?.bool ?? false
  }

  /// Whether the server says that it takes no signed requests: at its authorization endpoint, or pushed ones.
  ///
  /// Without `request_parameter_supported` a server of OpenID Connect does not take them (Discovery 1.0 section 3),
  /// unless it announces their algorithms; RFC 9101 has no default. Pushed ones are not those of that member.
  package func refusesSignedRequests(pushed: Bool) -> Bool {
    let algorithms = words("request_object_signing_alg_values_supported") ?? []
    let announces = requiresSignedRequest || !algorithms.isEmpty
    return switch document["request_parameter_supported"]?.bool {
    case true: false
    case false: !(announces && (pushed || requiresSignedRequest))
    default: speaksOpenIDConnect && !announces
    }
  }

  /// Whether authorization responses have `iss` (RFC 9207).
  var sendsIssuer: Bool {
    document["authorization_response_iss_parameter_supported"]?.bool ?? false
  }

  /// The same metadata with other endpoints, for servers that do not announce them.
  package func overriding(_ endpoints: JSONObject) throws(OAuthError) -> ServerMetadata {
    let members = Endpoint.allCases.compactMap { endpoint in
      endpoints[endpoint.name].map { (endpoint.rawValue, $0) }
    }
    return try replacing(JSONObject(members))
  }

  /// The same metadata with other members in place of its own.
  func replacing(_ members: JSONObject) throws(OAuthError) -> ServerMetadata {
    var metadata = try ServerMetadata(
      document.merging(members, uniquingKeysWith: { $1 }), for: issuer)
    metadata.replaced = document.filter { members[$0.key] != nil }
      .merging(replaced, uniquingKeysWith: { $1 })
    return metadata
  }

  /// The same metadata for clients that authenticate in the TLS handshake: with the endpoints that the
  /// server has for them (RFC 8705 section 5).
  package func forMutualTLS() throws(OAuthError) -> ServerMetadata {
    guard let aliases = document["mtls_endpoint_aliases"], aliases != .null else { return self }
    guard let aliases = aliases.object else {
      throw OAuthError(.malformed, "the metadata member 'mtls_endpoint_aliases' is not an object")
    }
    let members = Self.aliased.compactMap { endpoint in
      aliases[endpoint.rawValue].map { (endpoint.rawValue, $0) }
    }.filter { ![.null, ""].contains($0.1) }
    return try replacing(JSONObject(members))
  }

  /// The URLs of an endpoint: the announced ones, and those that replace them.
  package func urls(of endpoint: Endpoint) -> [String] {
    let places = [document, document["mtls_endpoint_aliases"]?.object ?? [:], replaced]
    let urls = places.compactMap { $0[endpoint.rawValue]?.string.flatMap { try? HTTPURL($0) } }
    return Set(urls.map(\.description)).sorted()
  }

  /// Whether access tokens can be bound to the client's certificate (RFC 8705 section 3.3).
  package var bindsTokensToCertificates: Bool {
    document[CertificateMetadata.bindsTokens]?.bool ?? false
  }

  /// The endpoints at which a client shows its certificate.
  private static let aliased: [Endpoint] = [
    .token, .revocation, .introspection, .pushedAuthorization, .deviceAuthorization, .userinfo,
    .clientValidation,
  ]
}

extension TokenExpectations {
  /// Requires a client as the audience, and the issuer of a server or that of the tenant that the
  /// token names.
  init(_ server: ServerMetadata, for clientID: String, at now: Timestamp) {
    self.init(now: now)
    audiences = [clientID]
    issuer = server.issuer.text
    tenantIssuer = server.tenantIssuer
  }
}

/// An issuer identifier (RFC 8414 section 2): compared letter by letter.
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
  /// The identifier, as the server writes it.
  public let text: String
  /// The same as a URL.
  public let url: HTTPURL

  /// Reads an issuer: an `https` URL without query or fragment.
  ///
  /// An international host becomes its A-label: a server cannot write it in another way.
  public init(_ text: String) throws(HTTPURLError) {
    let text = Self.withoutDocument(HTTPURL.withALabels(text))
    url = try HTTPURL(text)
    guard !text.utf8.contains(where: { "#?".utf8.contains($0) }) else {
      throw HTTPURLError(description: "an issuer has no query and no fragment")
    }
    // Other letters have several encodings, which could be confused.
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw HTTPURLError(description: "an issuer is written in ASCII")
    }
    self.text = text
  }

  /// The issuer of the URL of a metadata document, which people copy.
  private static func withoutDocument(_ text: String) -> String {
    for name in ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]
    where text.hasSuffix(name) {
      return String(text.dropLast(name.count))
    }
    return text
  }

  /// The identifier.
  public var description: String { text }

  /// The URLs where the metadata may be, most usual first.
  ///
  /// OpenID Connect Discovery 1.0 section 4 puts its path behind the issuer's,
  /// RFC 8414 section 3.1 puts it between host and path, whose final slash goes.
  var metadataURLs: [HTTPURL] {
    let candidates = [
      try? url.appending("/.well-known/openid-configuration"), authorizationServerMetadataURL,
      wellKnown("openid-configuration"),
    ]
    var seen: Set<HTTPURL> = []
    return candidates.compactMap { $0 }.filter { seen.insert($0).inserted }
  }

  /// The URL of the metadata of RFC 8414.
  var authorizationServerMetadataURL: HTTPURL? { wellKnown("oauth-authorization-server") }

  private func wellKnown(_ name: String) -> HTTPURL? {
    let path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    return try? HTTPURL("\(url.origin)/.well-known/\(name)\(path)")
  }
}
