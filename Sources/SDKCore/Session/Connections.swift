public import HTTP
public import OAuth
import POSIX
public import Pinning
package import Primitives
import Trace

struct Connections: Sendable {
  let settings: TransportSettings
  let transport: any Transport
  let handshakes: Handshakes
  let log: TraceLog?

  init(
    _ profile: Profile?, _ pins: PinSets, _ options: SessionOptions,
    now: @escaping @Sendable () -> Timestamp, over network: Network
  ) {
    let connections = options.connections
    let settings = TransportSettings(profile, pins)
    let log = TraceLog(options, secretNames: profile?.secretNames ?? [], now: now)
    self.settings = settings
    self.log = log
    let handshakes = network.makeHandshakes(settings, connections)
    self.handshakes = log.map { handshakes.traced(by: $0, pins, now: now) } ?? handshakes
    transport = network.transport(settings, connections, log)
  }
}

extension TraceLog {
  /// The log that a session's options ask for; `nil` for none.
  convenience init?(
    _ options: SessionOptions, secretNames: [String] = [], now: @escaping @Sendable () -> Timestamp
  ) {
    let (lines, entries) = (options.exchangeTrace, options.exchangeEntries)
    guard lines != nil || entries != nil || options.connections.trace != nil else { return nil }
    self.init(
      lines, entries: entries,
      secretNames: secretNames + options.tokenParameters.secretNames,
      pageReaders: options.loginMethods.compactMap(\.learnPage), now: now)
  }
}

extension ServerClient {
  /// Sends requests with the authorities and time limits of the options, without profile and pins.
  init(
    _ options: SessionOptions, now: @escaping @Sendable () -> Timestamp, over network: Network
  ) {
    self.init(
      transport: Connections(nil, PinSets(), options, now: now, over: network).transport,
      timeout: SessionLimits(options.timeout, deadline: options.deadline).exchange)
    trace = options.trace
  }
}

extension ChainProbe {
  /// Prepares handshakes with the trusted authorities of the options.
  public init(_ options: SessionOptions = SessionOptions()) { self.init(options, over: .curl) }

  package init(_ options: SessionOptions, over network: Network) {
    self.init(
      Connections(nil, PinSets(), options, now: { SystemClock.now() }, over: network).handshakes)
  }
}

extension KeyService {
  /// Uses the trusted authorities of the options or the system, without a profile and without pins.
  ///
  /// A resource server verifies tokens with it, without being a client of their issuer.
  public init(in store: ProfileStore, options: SessionOptions = SessionOptions()) {
    self.init(in: store, options: options, now: { SystemClock.now() }, network: .curl)
  }

  package init(
    in store: ProfileStore, options: SessionOptions, now: @escaping @Sendable () -> Timestamp,
    network: Network
  ) {
    self.init(
      ServerClient(options, now: now, over: network),
      TrustCache(
        store.location, authorities: options.environmentCAFile ?? options.environmentCADirectory),
      now: now)
  }
}

/// Finds the authorization servers of a resource, without a profile and without pins (RFC 9728).
public struct ResourceDiscovery: Sendable {
  private let serverClient: ServerClient

  /// Uses the trusted authorities and time limits of the options.
  public init(options: SessionOptions = SessionOptions()) { self.init(options, over: .curl) }

  package init(_ options: SessionOptions, over network: Network) {
    serverClient = ServerClient(options, now: { SystemClock.now() }, over: network)
  }

  /// Asks a resource server for its metadata; no secret is sent.
  ///
  /// - Throws: ``SDKError``: `unsupported` if it has none, or they name no server; `untrusted` if they are of another
  ///   resource.
  public func find(_ resource: HTTPURL) async throws(SDKError) -> ProtectedResource {
    try await attempt("could not find the authorization server of \(resource)") {
      try await Discovery(serverClient).protectedResource(resource)
    }
  }
}

extension ProfileSession {
  /// The servers that the profile needs: those of its settings, and those that the metadata of its issuer names.
  ///
  /// - Parameter pins: the pins for the request of the metadata; `nil` for those of the profile.
  /// - Returns: the servers, those of the settings first; and the error if the metadata could not be read.
  public func neededEndpoints(
    trusting pins: PinSets? = nil
  ) async -> (endpoints: [PinEndpoint], error: SDKError?) {
    let own = profile.pinEndpoints
    guard let issuer = profile.issuer, profile.usesDiscovery else { return (own, nil) }
    var client = environment.serverClient()
    if let pins {
      let transport = Connections(
        profile, pins, opening.options, now: opening.now, over: opening.network
      ).transport
      client = ServerClient(
        transport: transport, timeout: opening.limits.exchange, clock: environment.clock.server)
    }
    let discovery = Discovery(client)
    do {
      var metadata = try await discovery.metadata(of: issuer)
      if !metadata.offers([.registration, .revocation]) {
        metadata = await discovery.completed(metadata)
      }
      let urls = ServerMetadata.Endpoint.allCases.flatMap { metadata.urls(of: $0) }
      let named = PinEndpoint.each(of: urls.compactMap { try? HTTPURL($0) })
      return (own + named.filter { !own.contains($0) }, nil)
    } catch {
      return (own, SDKError(error, "could not read the metadata of \(issuer)"))
    }
  }
}
