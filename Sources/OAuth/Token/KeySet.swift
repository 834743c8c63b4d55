package import HTTP
package import JOSE
package import JSON
import POSIX
package import Primitives

/// The published keys of a server (RFC 7517 section 5), from a cache while they are fresh.
package struct KeySet: Sendable {
  package let url: HTTPURL
  package let serverClient: ServerClient
  /// `nil` to request the keys at every use.
  private let cache: (any ServerCache<CachedKeys>)?
  private let now: @Sendable () -> Timestamp

  package init(
    url: HTTPURL, serverClient: ServerClient, cache: (any ServerCache<CachedKeys>)? = nil,
    now: @escaping @Sendable () -> Timestamp = { SystemClock.now() }
  ) {
    self.url = url
    self.serverClient = serverClient
    self.cache = cache
    self.now = now
  }

  /// Verifies a signature with the published key that fits it.
  ///
  /// Without `kid` every key that fits is tried. If the cached keys do not verify it, the server may
  /// have changed its keys, so they are requested again; but only once in some seconds, so that forged
  /// tokens do not cause many requests.
  package func verify(
    _ signed: JWS, allowed: Set<JWSAlgorithm>, noun: String = "the ID token"
  ) async throws(OAuthError) {
    guard let algorithm = signed.algorithm, allowed.contains(algorithm) else {
      throw OAuthError(.untrusted, "\(noun) is signed with an algorithm that is not allowed")
    }
    let current = try await current()
    guard let failure = failure(to: signed, allowed, noun, with: current.keys) else { return }
    guard current.isCached, let newer = try await newer() else { throw failure }
    if let failure = self.failure(to: signed, allowed, noun, with: newer) { throw failure }
  }

  /// The published keys, and whether they come from the cache.
  package func current() async throws(OAuthError) -> (keys: JWKSet, isCached: Bool) {
    // A malformed document of the cache is fetched again.
    if let cached = cached(), let keys = try? keys(cached.document) {
      return (told(keys), true)
    }
    return (told(try keys(try await fetched(retried: nil))), false)
  }

  /// The keys as the server publishes them now, because those of the cache did not help; `nil` if they were
  /// requested seconds ago.
  package func newer() async throws(OAuthError) -> JWKSet? {
    var retried: Timestamp?
    if var cached = cached() {
      if let last = cached.retried, (0..<Self.pause).contains(now().seconds(since: last)) {
        return nil
      }
      // Stored before the request, so that a server that fails is not asked again at once either.
      cached.retried = now()
      cache?.store(cached, of: url.description)
      retried = cached.retried
    }
    return told(try keys(try await fetched(retried: retried)))
  }

  /// The set, after the log was told which of its keys cannot be used.
  private func told(_ set: JWKSet) -> JWKSet {
    for reason in set.reasonsForSkipping { serverClient.trace?("\(url.host): \(reason)") }
    return set
  }

  private func cached() -> CachedKeys? {
    guard let cached = cache?.value(of: url.description) else { return nil }
    let left = cached.expires.seconds(since: now())
    return left > 0 && left <= CachedKeys.lifetimes.upperBound ? cached : nil
  }

  private func fetched(retried: Timestamp?) async throws(OAuthError) -> JSONObject {
    let response = try await serverClient.success(HTTPRequest(.get, url))
    let document = try ServerClient.object(response)
    _ = try keys(document)
    let lifetime = CachedKeys.lifetime(of: response.fields)
    cache?.store(
      CachedKeys(document: document, expires: now() + lifetime, retried: retried),
      of: url.description)
    return document
  }

  private func keys(_ document: JSONObject) throws(OAuthError) -> JWKSet {
    do {
      return try JWKSet(published: .object(document))
    } catch {
      throw OAuthError(.malformed, "the keys of \(url.host) are unusable: \(error.message)")
    }
  }

  /// Why no key of the set verifies the token; `nil` if one does.
  private func failure(
    to signed: JWS, _ allowed: Set<JWSAlgorithm>, _ noun: String, with set: JWKSet
  ) -> OAuthError? {
    do throws(JOSEError) {
      try set.verify(signed, allowed: allowed)
      return nil
    } catch {
      let cause =
        switch error.code {
        case .noMatchingKey:
          "no published key of \(url.host) fits \(noun)"
            + (set.reasonForSkipping(kid: signed.keyID).map { "; \($0)" } ?? "")
        case .keyUnsuitable: "\(noun) has the key of another issuer: \(error.message)"
        default: "the signature of \(noun) is wrong"
        }
      return OAuthError(.untrusted, cause)
    }
  }

  /// How many seconds must pass before the keys are requested again.
  private static let pause: Int64 = 10
}

/// A document of keys, and when it may be requested again.
package struct CachedKeys: Sendable, Hashable {
  package var document: JSONObject
  /// When it must be fetched again.
  package var expires: Timestamp
  /// When new keys were last requested because these did not verify a token.
  package var retried: Timestamp?

  package init(document: JSONObject, expires: Timestamp, retried: Timestamp? = nil) {
    self.document = document
    self.expires = expires
    self.retried = retried
  }

  /// The minimum and maximum time in seconds that a document is kept.
  static let lifetimes: ClosedRange<Int64> = 300...86400

  /// How many seconds a response is kept: its `max-age` within the limits; an hour without one.
  static func lifetime(of fields: HTTPFields) -> Int64 {
    let directives = fields.members(of: "Cache-Control").map(\.asciiLowercased)
    if directives.contains("no-store") || directives.contains("no-cache") {
      return lifetimes.lowerBound
    }
    let ages = directives.compactMap { directive in
      directive.hasPrefix("max-age=") ? Int64(directive.dropFirst(8)) : nil
    }
    return ages.first.map { min(max($0, lifetimes.lowerBound), lifetimes.upperBound) } ?? 3600
  }
}
