import HTTP
import JSON

/// Finds the metadata of an issuer.
package struct Discovery: Sendable {
  package let serverClient: ServerClient

  package init(_ serverClient: ServerClient) { self.serverClient = serverClient }

  /// Requests the well-known URLs in turn.
  ///
  /// Ignores a URL that returns 4xx; any other response is the result.
  package func metadata(of issuer: Issuer) async throws(OAuthError) -> ServerMetadata {
    var last = OAuthError(.unsupported, "\(issuer) has no metadata document")
    for url in issuer.metadataURLs {
      do {
        return try ServerMetadata(
          try await serverClient.object(HTTPRequest(.get, url)), for: issuer)
      } catch {
        guard error.code == .refused else { throw error }
        last = OAuthError(.unsupported, "no metadata document of \(issuer): \(error.message)")
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
}
