public import HTTP
public import JOSE
public import OAuth
import Pinning
public import Primitives

/// Finds the keys that verify the tokens of issuers.
public struct KeyService: Sendable {
  /// The server whose profile has the trust settings and pins; `nil` without a profile.
  private let server: AuthorizationServer?
  private let serverClient: ServerClient
  private let cache: TrustCache
  private let now: @Sendable () -> Timestamp

  init(_ server: AuthorizationServer) {
    self.server = server
    serverClient = server.serverClient()
    cache = server.cache
    now = server.environment.clock.now
  }

  init(_ serverClient: ServerClient, _ cache: TrustCache, now: @escaping @Sendable () -> Timestamp)
  {
    server = nil
    self.serverClient = serverClient
    self.cache = cache
    self.now = now
  }

  /// The keys at a URL.
  public func keys(at url: HTTPURL) -> PublishedKeys { published(url, nil) }

  /// The keys of an issuer, found by its metadata; those of the profile's issuer as the profile says.
  ///
  /// - Throws: ``SDKError``: a wrong issuer is `untrusted`, missing metadata `unsupported`.
  public func keys(of issuer: Issuer) async throws(SDKError) -> PublishedKeys {
    if let server, sameIdentifier(server.profile.issuer?.text, issuer.text) {
      return try keys(of: try await server.metadata(offering: .keys))
    }
    if let metadata = cache.metadata(of: issuer, at: now()) { return try keys(of: metadata) }
    let metadata = try await attempt(Self.action(issuer)) {
      try await Discovery(serverClient).metadata(of: issuer)
    }
    cache.store(metadata, at: now())
    return try keys(of: metadata)
  }

  func keys(of metadata: ServerMetadata) throws(SDKError) -> PublishedKeys {
    try attempt(Self.action(metadata.issuer)) {
      published(try metadata.required(.keys), metadata)
    }
  }

  private func published(_ url: HTTPURL, _ metadata: ServerMetadata?) -> PublishedKeys {
    PublishedKeys(
      issuer: metadata?.issuer.text, tenantIssuer: metadata?.tenantIssuer,
      isPinned: server?.profile.pinPolicy == .enforce,
      keySet: KeySet(url: url, serverClient: serverClient, cache: cache, now: now))
  }

  private static func action(_ issuer: Issuer) -> String { "could not find the keys of \(issuer)" }
}

/// The keys that an issuer publishes (RFC 7517 section 5), from a cache while they are fresh.
///
/// They verify signatures of the algorithms in ``JOSE/JWSAlgorithm/asymmetric``.
public struct PublishedKeys: Sendable {
  /// The issuer whose keys they are; `nil` if only the URL of the keys is known.
  public let issuer: String?
  /// The issuer of their tokens if it depends on the tenant; `nil` if it is ``issuer``.
  let tenantIssuer: TenantIssuer?
  /// Whether the pins of a profile were checked when they were fetched.
  public let isPinned: Bool
  fileprivate let keySet: KeySet

  /// Where the keys are published.
  public var url: HTTPURL { keySet.url }

  /// The keys, and whether they come from the cache, so that newer ones may exist.
  ///
  /// - Throws: ``SDKError`` if they cannot be fetched or read.
  public func current() async throws(SDKError) -> (keys: JWKSet, isCached: Bool) {
    try await attempt(action) { try await keySet.current() }
  }

  /// The keys as the server publishes them now, because those of the cache did not help.
  ///
  /// - Returns: the keys; `nil` if the server was asked for them seconds ago.
  /// - Throws: ``SDKError`` if they cannot be fetched or read.
  public func newer() async throws(SDKError) -> JWKSet? {
    try await attempt(action) { try await keySet.newer() }
  }

  /// Requires that a token is valid at a time, and from the issuer of these keys: of an issuer with several
  /// tenants, from the tenant that the token names (`tid`).
  ///
  /// - Parameters:
  ///   - now: the present time.
  ///   - issuer: the issuer to require in its place; `nil` for that of the keys.
  /// - Returns: the requirements, to which a program adds its own: audience, type, scope.
  public func expectations(now: Timestamp, issuer: String? = nil) -> TokenExpectations {
    var expectations = TokenExpectations(now: now)
    expectations.issuer = issuer ?? self.issuer
    if issuer == nil { expectations.tenantIssuer = tenantIssuer }
    return expectations
  }

  private var action: String { "could not fetch the keys of \(issuer ?? url.description)" }
}
