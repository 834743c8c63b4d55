package import HTTP
import JSON

/// What a resource server says of itself (RFC 9728).
public struct ProtectedResource: Sendable, Hashable {
  /// The URL of the resource.
  public let resource: String
  /// The servers whose tokens it takes, as it lists them.
  public let authorizationServers: [Issuer]
  /// The scopes that it knows; empty if it does not say.
  public let scopes: [String]

  /// Reads the metadata of a resource.
  ///
  /// - Throws: ``OAuthError`` if they are of another resource (RFC 9728 section 3.3), or name no server.
  init(_ document: JSONObject, of identifier: String) throws(OAuthError) {
    guard let resource = document["resource"]?.string,
      Self.withoutSlash(resource) == Self.withoutSlash(identifier)
    else { throw OAuthError(.untrusted, "its metadata are those of another resource") }
    self.resource = resource
    authorizationServers = Self.issuers(in: document)
    scopes = document["scopes_supported"]?.strings ?? []
    guard !authorizationServers.isEmpty else {
      throw OAuthError(.unsupported, "its metadata name no authorization server")
    }
  }

  /// The issuers in metadata of whatever resource of an origin; for a hint only.
  static func issuers(in document: JSONObject) -> [Issuer] {
    (document["authorization_servers"]?.strings ?? []).compactMap { try? Issuer($0) }
  }

  private static func withoutSlash(_ text: String) -> String {
    text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

extension Discovery {
  /// The metadata of a resource: at the address of its path (RFC 9728 section 3.1), or of its origin.
  package func protectedResource(_ url: HTTPURL) async throws(OAuthError) -> ProtectedResource {
    let path = url.path == "/" ? "" : url.path
    var last = OAuthError(.unsupported, "it has no metadata")
    for (place, identifier) in [(path, url.origin + path), ("", url.origin)] {
      guard let address = try? HTTPURL(url.origin + Self.wellKnown + place) else { continue }
      do {
        return try ProtectedResource(
          try await serverClient.object(HTTPRequest(.get, address)), of: identifier)
      } catch {
        guard error.code == .refused else { throw error }
        last = OAuthError(.unsupported, "it has no metadata: \(error.message)")
      }
      if path.isEmpty { break }
    }
    throw last
  }

  /// The issuers that a refusal leads to (RFC 9728 section 5.1), at the same origin; for a hint only.
  package func issuers(namedBy response: HTTPResponse) async -> [Issuer] {
    let addresses = response.challenges.compactMap { $0["resource_metadata"] }
    guard let address = addresses.first, let url = try? HTTPURL(address),
      url.sharesOrigin(with: response.url),
      let document = try? await serverClient.object(HTTPRequest(.get, url))
    else { return [] }
    return ProtectedResource.issuers(in: document)
  }

  private static let wellKnown = "/.well-known/oauth-protected-resource"
}
