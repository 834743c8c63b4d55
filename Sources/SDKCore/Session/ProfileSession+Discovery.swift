import HTTP
import JSON
package import OAuth

extension ProfileSession {
  /// What the authorization server says of itself, from the cache while it is fresh.
  ///
  /// A client that proves itself in the TLS handshake is told the endpoints for such clients.
  ///
  /// - Throws: ``SDKError``: a wrong issuer is `untrusted`, a missing document `unsupported`.
  package func metadata() async throws(SDKError) -> ServerMetadata {
    guard let issuer = profile.issuer else {
      throw SDKError(
        .invalidConfiguration, "could not reach a server: '\(profile.name)' has no issuer",
        subject: "issuer")
    }
    do {
      guard profile.usesDiscovery else {
        return try ServerMetadata(unannounced: issuer).overriding(profile.endpoints)
      }
      var metadata =
        if let cached = cachedMetadata(of: issuer) { cached } else {
          try await announced(by: issuer)
        }
      let method = (try? usableRegistration())?.authentication.method
      if method?.usesCertificate == true { metadata = try metadata.forMutualTLS() }
      return try metadata.overriding(profile.endpoints)
    } catch {
      throw SDKError(error, "could not read the metadata of \(issuer)")
    }
  }

  private func announced(by issuer: Issuer) async throws(OAuthError) -> ServerMetadata {
    do {
      let metadata = try await Discovery(exchange()).metadata(of: issuer)
      cache(metadata)
      return metadata
    } catch {
      // A server without metadata is served when the profile names what a login needs.
      let isNamed = ["authorization", "token"].allSatisfy { profile.endpoints[$0] != nil }
      guard error.code == .unsupported, isNamed else { throw error }
      return try ServerMetadata(unannounced: issuer)
    }
  }

  private func cachedMetadata(of issuer: Issuer) -> ServerMetadata? {
    guard let document = try? StoreDocument.read(cachePath(issuer), .shared),
      let expires = document.members["expires"]?.int, expires > now(),
      expires <= now().addingClamped(Self.freshness),
      let metadata = document.members["document"]?.object
    else { return nil }
    return try? ServerMetadata(metadata, for: issuer)
  }

  /// A cache that cannot be written costs a request, and nothing else.
  private func cache(_ metadata: ServerMetadata) {
    let members: JSONObject = [
      "document": .object(metadata.document), "expires": .int(now().addingClamped(Self.freshness)),
    ]
    try? StoreDocument(
      path: cachePath(metadata.issuer), secrecy: .shared, members: members
    ).write()
  }

  private func cachePath(_ issuer: Issuer) -> StorePath { trustCache.path("issuers", issuer.text) }

  private static let freshness: Int64 = 3600
}

extension ServerMetadata {
  /// What is known of a server without metadata: who it is.
  fileprivate init(unannounced issuer: Issuer) throws(OAuthError) {
    try self.init(["issuer": .string(issuer.text)], for: issuer)
  }
}
