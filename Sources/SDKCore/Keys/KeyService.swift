public import HTTP
import JOSE
public import OAuth
import Pinning
package import Primitives

/// Finds the keys that verify the tokens of issuers.
public struct KeyService: Sendable {
  private let serverClient: ServerClient
  private let cache: TrustCache
  private let isPinned: Bool
  private let now: @Sendable () -> Timestamp

  /// Uses the trust settings and pins of a profile.
  init(_ environment: SessionEnvironment) {
    serverClient = environment.serverClient()
    cache = TrustCache(environment)
    isPinned = environment.profile.pinPolicy == .enforce
    now = environment.now
  }

  /// Uses the trusted authorities of the system, without a profile and without pins.
  package init(
    in store: ProfileStore, options: SessionOptions, now: @escaping @Sendable () -> Timestamp,
    network: Network
  ) {
    let settings = TransportSettings(withoutProfile: ())
    let log = options.exchangeTrace.map { TraceLog($0, now: now) }
    let transport = network.transport(settings, options, log)
    let limits = SessionLimits(options.timeout, deadline: options.deadline)
    serverClient = ServerClient(transport: transport, timeout: limits.exchange)
    cache = TrustCache(
      store.location,
      authorities: options.environmentCAFile ?? options.environmentCADirectory)
    isPinned = false
    self.now = now
  }

  /// The keys at a URL.
  public func keys(at url: HTTPURL) -> PublishedKeys {
    PublishedKeys(
      keySet(url), issuer: nil, algorithms: JWSAlgorithm.asymmetric, isPinned: isPinned)
  }

  /// The keys of an issuer, found by its metadata.
  ///
  /// - Throws: ``SDKError``: a wrong issuer is `untrusted`, missing metadata `unsupported`.
  public func keys(of issuer: Issuer) async throws(SDKError) -> PublishedKeys {
    let files = MetadataFiles(cache: cache, now: now)
    do throws(OAuthError) {
      if let metadata = files.metadata(of: issuer) { return try keys(of: metadata) }
      let metadata = try await Discovery(serverClient).metadata(of: issuer)
      files.keep(metadata)
      return try keys(of: metadata)
    } catch {
      throw SDKError(error, "could not find the keys of \(issuer)")
    }
  }

  func keys(of metadata: ServerMetadata) throws(OAuthError) -> PublishedKeys {
    PublishedKeys(
      keySet(try metadata.required(.keys)), issuer: metadata.issuer.text,
      tenantIssuer: metadata.tenantIssuer, algorithms: JWSAlgorithm.asymmetric, isPinned: isPinned)
  }

  private func keySet(_ url: HTTPURL) -> KeySet {
    KeySet(url: url, serverClient: serverClient, cache: KeyFiles(cache), now: now)
  }
}

extension ProfileSession {
  /// Finds keys of issuers, with the trust settings and pins of the profile.
  public var keys: KeyService { KeyService(environment) }

  /// The keys of the profile's issuer.
  ///
  /// - Throws: ``SDKError`` if the metadata of the issuer cannot be fetched, or names no keys.
  public func issuerKeys() async throws(SDKError) -> PublishedKeys {
    let metadata = try await server.metadata(offering: .keys)
    do throws(OAuthError) {
      return try keys.keys(of: metadata)
    } catch {
      throw SDKError(error, "could not find the keys of \(metadata.issuer)")
    }
  }
}
