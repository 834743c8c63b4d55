import HTTP
import JSON
import OAuth
import Primitives
import Synchronization

extension AuthorizationServer {
  /// What the authorization server says of itself, from the cache while it is fresh and has what the caller needs.
  func metadata(
    offering endpoints: ServerMetadata.Endpoint...,
    where isEnough: (ServerMetadata) -> Bool = { _ in true }
  ) async throws(SDKError) -> ServerMetadata {
    let issuer = try requiredIssuer()
    return try await attempt("could not read the metadata of \(issuer)") {
      guard profile.usesDiscovery else {
        return try ServerMetadata(unannounced: issuer).overriding(profile.endpoints)
      }
      var metadata =
        if let cached = cachedMetadata(of: issuer) { cached } else {
          try await announced(by: issuer)
        }
      var adapted = try await adapted(metadata)
      if adapted.offers(endpoints), isEnough(adapted) { return adapted }
      if !discoveries.contains(Identifier(issuer.text)) {
        metadata = try await announced(by: issuer)
        adapted = try await self.adapted(metadata)
        if adapted.offers(endpoints), isEnough(adapted) { return adapted }
      }
      // A server without metadata, for which the profile names the endpoints, has no other document.
      guard metadata.document.count > 1 else { return adapted }
      let completed = await Discovery(environment.serverClient()).completed(metadata)
      if completed != metadata { cache(completed) }
      return try await self.adapted(completed)
    }
  }

  private func requiredIssuer() throws(SDKError) -> Issuer {
    if let issuer = profile.issuer { return issuer }
    throw SDKError(
      .invalidConfiguration, "could not reach a server: '\(profile.name)' has no issuer",
      subject: "issuer")
  }

  func knownMetadata() async -> ServerMetadata? {
    guard let issuer = profile.issuer, let cached = cachedMetadata(of: issuer) else { return nil }
    return try? await adapted(cached)
  }

  func announcedMetadata(isFresh: Bool) async throws(SDKError) -> JSONObject {
    let issuer = try requiredIssuer()
    let cached = isFresh ? nil : cachedMetadata(of: issuer)
    if let cached { return cached.document }
    return try await attempt("could not read the metadata of \(issuer)") {
      let metadata = try await Discovery(environment.serverClient()).metadata(of: issuer)
      cache(metadata)
      return metadata.document
    }
  }

  private func adapted(_ metadata: ServerMetadata) async throws(OAuthError) -> ServerMetadata {
    let method = await (try? records.usable())?.method
    let own = method?.usesCertificate == true ? try metadata.forMutualTLS() : metadata
    return try own.overriding(profile.endpoints)
  }

  private func announced(by issuer: Issuer) async throws(OAuthError) -> ServerMetadata {
    do {
      let metadata = try await Discovery(environment.serverClient()).metadata(of: issuer)
      discoveries.insert(Identifier(issuer.text))
      cache(metadata)
      return metadata
    } catch {
      // A server without metadata is served when the profile names what a login needs.
      let isNamed = ["authorization", "token"].allSatisfy { profile.endpoints[$0] != nil }
      guard error.code == .unsupported, isNamed else { throw error }
      discoveries.insert(Identifier(issuer.text))
      return try ServerMetadata(unannounced: issuer)
    }
  }

  /// What the server said of itself within the last hour; `nil` if nothing is kept of it.
  func cachedMetadata(of issuer: Issuer) -> ServerMetadata? {
    cache.metadata(of: issuer, at: now())
  }

  private func cache(_ metadata: ServerMetadata) {
    cache.store(metadata, at: now())
  }
}

extension ServerMetadata {
  /// What is known of a server without metadata: who it is.
  fileprivate init(unannounced issuer: Issuer) throws(OAuthError) {
    try self.init(["issuer": .string(issuer.text)], for: issuer)
  }
}

/// The issuers whose metadata a session has fetched, and not only read from the cache.
final class Discoveries: Sendable {
  private let issuers = Mutex<Set<Identifier>>([])

  func contains(_ name: Identifier) -> Bool { issuers.withLock { $0.contains(name) } }

  func insert(_ name: Identifier) { issuers.withLock { _ = $0.insert(name) } }
}
