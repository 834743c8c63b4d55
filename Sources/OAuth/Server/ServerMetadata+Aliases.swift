import HTTP
import JSON

extension ServerMetadata {
  /// The same metadata for clients that authenticate in the TLS handshake: with the endpoints that the
  /// server has for them (RFC 8705 section 5).
  ///
  /// - Throws: ``OAuthError`` `malformed` if the aliases are not an object.
  package func forMutualTLS() throws(OAuthError) -> ServerMetadata {
    guard let aliases = document["mtls_endpoint_aliases"], aliases != .null else { return self }
    guard let aliases = aliases.object else {
      throw OAuthError(.malformed, "the metadata member 'mtls_endpoint_aliases' is not an object")
    }
    let members = Self.aliased.compactMap { endpoint in
      aliases[endpoint.rawValue].map { (endpoint.rawValue, $0) }
    }.filter { $0.1 != .null }
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
