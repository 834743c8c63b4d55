package import HTTP
import JSON
import Primitives

/// Finds the metadata of an issuer.
package struct Discovery: Sendable {
  package let serverClient: ServerClient

  package init(_ serverClient: ServerClient) { self.serverClient = serverClient }

  /// Requests the well-known URLs in turn.
  ///
  /// Ignores a URL that returns 4xx, a page or a redirect; any other response is the result.
  package func metadata(of issuer: Issuer) async throws(OAuthError) -> ServerMetadata {
    var last = OAuthError(.unsupported, "\(issuer) has no metadata document")
    for url in issuer.metadataURLs {
      do {
        return try ServerMetadata(
          try await serverClient.object(HTTPRequest(.get, url)), for: issuer)
      } catch {
        last = try error.elsewhere("no metadata document of \(issuer)", after: last)
      }
    }
    throw last
  }

  /// The same metadata with the members that only the document of RFC 8414 has.
  ///
  /// Some servers list registration and revocation only there. A document that is missing or of
  /// another issuer adds nothing.
  package func completed(_ metadata: ServerMetadata) async -> ServerMetadata {
    guard let url = metadata.issuer.authorizationServerMetadataURL,
      let document = try? await serverClient.object(HTTPRequest(.get, url)),
      let other = try? ServerMetadata(document, for: metadata.issuer),
      let merged = try? ServerMetadata(
        other.document.merging(metadata.document, uniquingKeysWith: { $1 }), for: metadata.issuer)
    else { return metadata }
    return merged
  }

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
        last = try error.elsewhere("it has no metadata", after: last)
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

extension OAuthError {
  /// The error if the document is at no other place either; throws one that no other place can mend.
  ///
  /// A page or a redirect says more than a place with nothing.
  fileprivate func elsewhere(
    _ missing: String, after last: OAuthError
  ) throws(OAuthError) -> OAuthError {
    guard code == .refused || reason == .page else { throw self }
    if last.reason == .page { return last }
    return reason == .page ? self : OAuthError(.unsupported, "\(missing): \(message)")
  }
}

/// What a resource server says of itself (RFC 9728).
public struct ProtectedResource: Sendable, Hashable {
  /// The URL of the resource.
  public let resource: String
  /// The servers whose tokens it takes, as it lists them.
  public let authorizationServers: [Issuer]
  /// The scopes that it knows; empty if it does not say.
  public let scopes: [String]

  /// Reads the metadata of a resource.
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

/// A resource that requires a new or another authentication of the user (RFC 9470 section 3).
///
/// A refresh does not help: it requires a property of the login.
package struct StepUp: Sendable, Hashable {
  /// The authentication contexts of which one is required, separated by spaces.
  package let contexts: String?
  /// The seconds that may have passed since the login.
  package let maximumAge: Int64?

  /// Reads the refusal of a resource; `nil` if it does not require a new authentication.
  ///
  /// Values that no login can request count as absent.
  package init?(_ response: HTTPResponse) {
    guard response.status == 401,
      let challenge = response.challenges.first(where: { challenge in
        (challenge.isOf(scheme: "Bearer") || challenge.isOf(scheme: DPoP.tokenType))
          && challenge["error"] == "insufficient_user_authentication"
      })
    else { return nil }
    contexts = challenge["acr_values"].flatMap(pasteable)
    maximumAge = challenge["max_age"].flatMap(Self.seconds)
  }

  private static func seconds(_ text: String) -> Int64? {
    guard text.utf8.allSatisfy(\.isDigit), text.utf8.count <= 9 else { return nil }
    return Int64(text)
  }
}

/// The words of a response that become part of a command line that a user pastes: visible ASCII of limited length.
private func pasteable(_ text: String) -> String? {
  let words = text.words
  guard text.utf8.count <= 500, !words.isEmpty, words.allSatisfy(isVisible),
    // A value that begins with a hyphen would be read as an option.
    words[0].first != "-"
  else { return nil }
  return words.joined(separator: " ")
}

extension HTTPResponse {
  /// The scope that a resource requires and the token does not have (RFC 6750 section 3.1); `nil` for any other
  /// response, and if the resource does not name it.
  package var requiredScope: String? {
    guard status == 403 else { return nil }
    return challenges.first { $0["error"] == "insufficient_scope" }?["scope"].flatMap(pasteable)
  }

  /// The error of a resource about a token (RFC 6750 section 3, RFC 9449 section 7).
  package func names(_ error: String, scheme: String) -> Bool {
    status == 401 && challenges.contains { $0.isOf(scheme: scheme) && $0["error"] == error }
  }
}
