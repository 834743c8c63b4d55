public import HTTP
public import JSON
import OAuth
import POSIX
public import Pinning
package import Primitives
import Trace

/// One opened profile, and the services that work with it.
///
/// Opening reads the profile and its pins. The transport is made for the first request, so that
/// work without network does not load libcurl.
public final class ProfileSession: Sendable {
  let opening: SessionOpening
  let environment: SessionEnvironment
  let openedKeys: OpenedKeys
  private let connections: Connections
  let server: AuthorizationServer
  package let loginContext: LoginMethod.Context
  /// The pins of the profile.
  public let pins: PinSets
  /// The tokens of the profile: valid, refreshed or narrowed.
  public let tokens: TokenService
  /// Login and logout.
  public let login: LoginService
  /// The registration of this installation at the authorization server.
  public let registration: RegistrationService
  /// Requests to resource servers.
  public let resources: ResourceService
  /// Changes to the pins, and the certificates that servers present.
  public let pinning: PinService
  /// The client certificates of the profile.
  public let identities: IdentityService

  package convenience init(
    _ name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    options: SessionOptions = SessionOptions(),
    now: @escaping @Sendable () -> Timestamp = { SystemClock.now() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    network: Network
  ) throws(SDKError) {
    try self.init(
      SessionOpening(
        name, in: store,
        injectedToken: injectedToken.map {
          InjectedToken($0, from: options.injectedTokenName, at: now())
        }, options: options, now: now, pause: pause, network: network))
  }

  /// Opens a profile, and puts its services together.
  ///
  /// With `keys`, what another session of the profile has opened is not asked for again.
  init(_ opening: SessionOpening, sharing keys: OpenedKeys? = nil) throws(SDKError) {
    let options = opening.options
    let settings = options.settings
    let profile = try opening.store.profile(opening.name, settings)
    try profile.requireModules()
    pins = try PinStore(opening.store.location, profile.name).load()
    connections = Connections(profile, pins, options, now: opening.now, over: opening.network)
    // Shared places have the connections, the trace and the time of the session.
    let store = ProfileStore(
      opening.store.location, sharing: opening.store.sharing, over: opening.network,
      options.connections, settings,
      tracedBy: connections.log, now: opening.now)
    let authorities = connections.settings.caFile(options.connections)
    let user = if let id = options.userID { id } else { try store.currentUser(of: profile.name) }
    self.opening = opening
    environment = SessionEnvironment(
      profile, of: user, in: store,
      SessionClock(
        now: opening.now, pause: opening.pause, limits: opening.limits,
        server: ServerClock(now: opening.now, tell: options.clockReport)),
      over: connections.transport, tokenParameters: options.tokenParameters, trace: options.trace)
    let seals =
      keys?.seals
      ?? ProfileSeals(environment, entry: options.sealPasscode, cost: options.sealCost) {
        (environment, sealed) async throws(SDKError) in try await environment.erase(sealed)
      }
    var identityStore = IdentityStore(
      store, profile.name, unlock: options.identityUnlock, pin: options.identityPIN,
      now: opening.now)
    identityStore.seal = seals.ofProfile
    let keys = keys ?? OpenedKeys(identityStore, seals)
    openedKeys = keys
    var cache = TrustCache(
      store.location, profile, pins,
      caFile: [authorities ?? options.environmentCADirectory, profile.extraCAFile]
        .compactMap { $0 }.joined(separator: " and "))
    cache.isReadOnly = options.writesNothing
    server = AuthorizationServer(
      RegistrationRecords(environment: environment, openKey: keys.unsealed, seal: seals.ofProfile),
      cache,
      seals[user])
    let slots = TokenSlots(
      seal: seals[user], injected: opening.injectedToken, notice: options.noticeReport)
    loginContext = LoginMethod.Context(
      server: server, slots: slots, identities: identityStore,
      traceSecrets: connections.log?.secrets, passcodeCost: options.passcodeCost)
    let context = loginContext
    // An implicit token is obtained with the user's, which is renewed first.
    let ofUser: [any CredentialRenewal] =
      options.loginMethods.map { $0.renewal(context) } + [
        RefreshRenewal(server: server, slots: slots)
      ]
    let userTokens = TokenService(server: server, slots: slots, renewals: ofUser)
    tokens = TokenService(
      server: server, slots: slots,
      renewals: ofUser + [
        ImplicitRenewal(tokens: userTokens), ClientCredentialsRenewal(server: server, slots: slots),
      ])
    login = LoginService(
      tokens: tokens, traceSecrets: context.traceSecrets, handshakes: connections.handshakes,
      programName: options.programName)
    registration = RegistrationService(
      login: login, identities: identityStore, others: Self.others(opening, keys))
    resources = ResourceService(
      tokens: tokens,
      process: ProcessCheck(
        profile: profile, probe: options.process, loadLibraries: options.loadLibraries),
      userAgent: options.userAgent, caFile: authorities,
      baseURL: profile.resourceURL)
    pinning = PinService(environment: environment, pins: pins, handshakes: connections.handshakes)
    let enrolment = EnrolmentServices.Context(
      environment: environment,
      tokens: SessionTokens(opening: opening, tokens: tokens, keys: keys), trace: options.trace)
    identities = IdentityService(
      environment: environment, identityStore: identityStore, notice: options.noticeReport,
      obtainer: options.identityService ?? options.enrolment?.service(enrolment),
      openClient: registration.records.openByPasscode,
      renewClientCertificate: registration.renewSelfSignedCertificate)
    register(options.identity, in: identityStore)
  }

  private func register(_ choice: IdentityChoice, in store: IdentityStore) {
    if let observer = ApplicationIDObserver(environment.profile) { resources.register(observer) }
    switch choice {
    case .automatic: resources.register(IdentityObserver(self))
    case .named(let name): resources.register(NamedIdentityObserver(name, in: store))
    case .none: break
    }
    if let observer = ReauthenticationObserver(tokens) { resources.register(observer) }
  }

  /// Opens a profile that reaches servers by libcurl.
  ///
  /// - Throws: ``SDKError`` if the profile or its pins cannot be read.
  public convenience init(
    opening name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    options: SessionOptions = SessionOptions()
  ) throws(SDKError) {
    try self.init(
      name, in: store, injectedToken: injectedToken, options: options, network: .curl)
  }

  /// Opens a profile that reaches servers by a transport of the caller.
  ///
  /// For tests, and for programs with a network stack of their own. The transport must check the
  /// pins of the profile and the trust settings itself; ``PinService/probe(host:port:)`` uses libcurl,
  /// and a login does not check the host of the authorization endpoint before a browser opens.
  ///
  /// - Throws: ``SDKError`` if the profile or its pins cannot be read.
  public convenience init(
    opening name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    options: SessionOptions = SessionOptions(), transport: any Transport
  ) throws(SDKError) {
    let curl = Network.curl
    try self.init(
      name, in: store, injectedToken: injectedToken, options: options,
      network: Network(
        makeTransport: { _, _ in transport },
        makeHandshakes: { settings, options in
          let handshakes = curl.makeHandshakes(settings, options)
          return Handshakes(probe: handshakes.probe, addresses: handshakes.addresses)
        }, version: curl.version))
  }

  /// The profile.
  public var profile: Profile { environment.profile }

  /// An access token from outside the store, which is used as the user's (CI).
  public var injectedToken: String? { opening.injectedToken?.tokens.accessToken }

  /// The user's account at the provider: sign-up and password reset.
  public var account: AccountService { AccountService(server: server) }

  /// The directories of the profile's files: configuration first, then state.
  public var directories: [String] {
    let location = environment.location
    return [location.configuration(of: profile.name), location.state(of: profile.name)]
  }

  /// The secrets of the profile, with where they are.
  ///
  /// - Throws: ``SDKError/Code/store`` if their place cannot be read.
  public func secrets() async throws(SDKError) -> [StoredSecretFile] {
    try await environment.store.secrets(of: profile.name)
  }

  /// What the authorization server says of itself: its metadata as it sent it.
  ///
  /// - Parameter isFresh: fetch it, and do not use what was cached within the last hour.
  /// - Returns: the document, without the changes that the settings `endpoints.*` make.
  /// - Throws: ``SDKError``: a wrong issuer is `untrusted`, a missing document `unsupported`.
  public func metadata(isFresh: Bool = false) async throws(SDKError) -> JSONObject {
    try await server.announcedMetadata(isFresh: isFresh)
  }

  /// The file or directory of the trusted authorities; `nil` for libcurl's own choice.
  public var authorities: String? {
    let (settings, options) = (connections.settings, opening.options.connections)
    return settings.caFile(options) ?? settings.caDirectory(options)
  }

  /// The passcode under which refresh tokens can be sealed.
  public var seal: SealService { SealService(tokens: tokens) }

  /// By how many seconds this machine's clock is behind the authorization server's.
  ///
  /// Negative if it is ahead; `nil` if both agree to the minute, and before the first response.
  /// No decision depends on it.
  public var clockDelay: Int64? { environment.clock.server.behind }
}

extension ProfileSession {
  /// Finds keys of issuers, with the trust settings and pins of the profile.
  public var keys: KeyService { KeyService(server) }

  /// The keys of the profile's issuer.
  ///
  /// - Throws: ``SDKError`` if the metadata of the issuer cannot be fetched, or names no keys.
  public func issuerKeys() async throws(SDKError) -> PublishedKeys {
    try keys.keys(of: try await server.metadata(offering: .keys))
  }
}

extension IdentityObserver {
  /// Makes an observer for a session.
  public convenience init(
    _ session: ProfileSession, store: (any IdentityStoring)? = nil,
    obtainer: (any IdentityObtaining)? = nil, rules: Rules? = nil,
    authenticationHandler: AuthenticationHandler? = nil
  ) {
    let options = session.opening.options
    self.init(
      IdentityEnrolment(
        environment: session.environment, store: store ?? session.identities.store(),
        obtainer: obtainer ?? session.identities.obtainer, mayLogIn: options.identityLogin != nil,
        trace: options.trace, notice: options.noticeReport,
        authenticationHandler: authenticationHandler),
      rules ?? session.profile.identityRules)
  }
}
