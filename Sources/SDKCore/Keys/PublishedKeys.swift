public import HTTP
public import JOSE
import OAuth

/// The keys that an issuer publishes (RFC 7517 section 5), from a cache while they are fresh.
public struct PublishedKeys: Sendable {
  /// The issuer whose keys they are; `nil` if only the URL of the keys is known.
  public let issuer: String?
  /// The issuer of their tokens if it depends on the tenant; `nil` if it is ``issuer``.
  package let tenantIssuer: TenantIssuer?
  /// The algorithms that the issuer may sign with.
  public let algorithms: Set<JWSAlgorithm>
  /// Whether the pins of a profile were checked when they were fetched.
  public let isPinned: Bool
  private let keySet: KeySet

  init(
    _ keySet: KeySet, issuer: String?, tenantIssuer: TenantIssuer? = nil,
    algorithms: Set<JWSAlgorithm>, isPinned: Bool
  ) {
    self.tenantIssuer = tenantIssuer
    self.keySet = keySet
    self.issuer = issuer
    self.algorithms = algorithms
    self.isPinned = isPinned
  }

  /// Where the keys are published.
  public var url: HTTPURL { keySet.url }

  /// The keys, and whether they come from the cache, so that newer ones may exist.
  ///
  /// - Throws: ``SDKError`` if they cannot be fetched or read.
  public func current() async throws(SDKError) -> (keys: JWKSet, isCached: Bool) {
    do { return try await keySet.current() } catch { throw SDKError(error, action) }
  }

  /// The keys as the server publishes them now, because those of the cache did not help.
  ///
  /// - Returns: the keys; `nil` if the server was asked for them seconds ago.
  /// - Throws: ``SDKError`` if they cannot be fetched or read.
  public func newer() async throws(SDKError) -> JWKSet? {
    do { return try await keySet.newer() } catch { throw SDKError(error, action) }
  }

  private var action: String { "could not fetch the keys of \(issuer ?? keySet.url.description)" }
}
