import HTTP
import OAuth
import POSIX
import Pinning
import Primitives

/// The shared state of the services of a session: the opened profile, its store, the clock, the network.
final class SessionEnvironment: Sendable {
  let profile: Profile
  let pins: PinSets
  /// An access token from outside the store, which is used as the user's.
  let injectedToken: String?
  /// The same token with its claims, if it is a JWT.
  let injectedTokens: TokenSet?
  let store: ProfileStore
  /// Returns the time.
  let now: @Sendable () -> Timestamp
  let limits: SessionLimits
  /// Waits, between polls and after a failed login.
  let pause: @Sendable (Duration) async throws -> Void
  let options: SessionOptions
  /// The difference between this machine's clock and the authorization server's.
  let clock: ServerClock
  /// The nonces that servers require in proofs of possession.
  let nonces: NonceFile
  /// The issuers whose metadata this session has fetched.
  let discoveries = Discoveries()
  /// The sealed keys that this session has opened.
  let openedKeys = OpenedKeys()
  /// The observers of resource requests.
  let observers = RequestObservers()
  /// The contents of the credential slots.
  let slotContents = StoreMemory<CredentialSlot, SlotContent>()
  /// Whether the server requires encrypted requests, by whether a request has tokens.
  let encryptionDemands = StoreMemory<Bool, Bool>()
  /// The settings of the profile for resource requests.
  let requestRules: RequestRules
  private let network: Network
  /// Sends requests with the profile's trust settings and pins.
  let transport: any Transport
  /// Makes handshakes after which no request is sent.
  let handshakes: Handshakes
  /// The secrets that the trace must not show; `nil` without a trace.
  let traceSecrets: TraceSecrets?

  init(
    _ name: ProfileName, in store: ProfileStore, injectedToken: String?, options: SessionOptions,
    limits: SessionLimits?, now: @escaping @Sendable () -> Timestamp,
    pause: @escaping @Sendable (Duration) async throws -> Void, network: Network
  ) throws(SDKError) {
    profile = try store.profile(name)
    pins = try PinStore(store.location, name).load()
    self.network = network
    self.injectedToken = injectedToken
    injectedTokens = injectedToken.map { TokenSet(injected: $0, at: now()) }
    self.store = store
    self.options = options
    requestRules = RequestRules(profile)
    self.limits = limits ?? SessionLimits(options.timeout, deadline: options.deadline)
    self.now = now
    self.pause = pause
    clock = ServerClock(now: now, tell: options.clockReport)
    nonces = NonceFile(store.location, name)
    var settings = TransportSettings(profile, pins)
    let log = options.exchangeTrace.map { [profile] in
      TraceLog($0, secretNames: profile.secretFormFields, now: now)
    }
    if let reporter = options.pinReporter, profile.reportsPinFailures(with: pins) {
      let (profile, plain) = (profile, settings.forReports)
      let reports = network.transport(plain, options, log)
      settings.pinFailure = { reporter.report($0, of: profile, at: now(), over: { reports }) }
    }
    traceSecrets = log?.secrets
    let handshakes = network.makeHandshakes(settings, options)
    self.handshakes =
      log.map { [pins] in handshakes.traced(by: $0, pins, now: now) } ?? handshakes
    transport = network.transport(settings, options, log)
    if let observer = ApplicationIDObserver(profile) { observers.register(observer) }
    observeIdentities()
    if let observer = ReauthenticationObserver(self) { observers.register(observer) }
  }

  /// Opens another profile of the store in the same way.
  func opening(_ name: ProfileName) throws(SDKError) -> SessionEnvironment {
    try SessionEnvironment(
      name, in: store, injectedToken: nil, options: options, limits: limits, now: now,
      pause: pause, network: network)
  }

  /// The directory of the store.
  var location: StoreLocation { store.location }

  /// The source of the access token from outside the store, for errors.
  var injectedTokenName: String { options.injectedTokenName ?? "the environment" }

  /// The profile's settings for connections.
  var transportSettings: TransportSettings { TransportSettings(profile, pins) }

  /// A client for exchanges with the authorization server.
  func serverClient() -> ServerClient {
    ServerClient(transport: transport, timeout: limits.exchange, clock: clock)
  }

  /// Checks the certificates and pins of a host before a browser is sent there.
  ///
  /// The browser does not check pins. If the network leads this machine to another server, it does the same
  /// with the browser.
  func verifyBrowserTarget(_ url: HTTPURL, _ action: String) async throws(SDKError) {
    do {
      _ = try await handshakes.verify(url)
    } catch {
      throw SDKError(error, action)
    }
  }
}

extension SessionEnvironment {
  /// The identities of the profile.
  var identityStore: IdentityStore {
    IdentityStore(
      store, profile.name, unlock: options.identityUnlock, pin: options.identityPIN, now: now)
  }

  /// Registers the observer that shows identities, as the options say.
  private func observeIdentities() {
    switch options.identity {
    case .automatic:
      let enrolment = IdentityEnrolment(self, store: identityStore, obtainer: identityObtainer)
      observers.register(IdentityObserver(enrolment, profile.identityRules))
    case .named(let name):
      observers.register(NamedIdentityObserver(name, in: identityStore))
    case .none: break
    }
  }

  /// Holds a lock of the profile while the body runs.
  ///
  /// - Throws: ``SDKError/Code/busy`` if it is not free in time, or `busy` in its place.
  func locked<Value: Sendable>(
    _ lock: ProfileLock, waiting timeout: Duration? = nil, busy: SDKError? = nil,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    // A removed profile must not get any file again, before the wait and after it.
    guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
    let held: FileLock
    do {
      held = try await ProfileLock.acquire(
        lock, of: profile.name, at: location,
        waiting: timeout.map { min($0, limits.remaining ?? $0) } ?? limits.lock)
    } catch {
      // The locks are removed with their profile.
      guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
      guard error.code == .busy, let busy else { throw error }
      throw busy
    }
    guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
    let taken = LockOrder.Held(
      lock: .init(lock), directory: location.lock(lock, of: profile.name).directory)
    let value = try await LockOrder.holding(LockOrder.held + [taken], body)
    held.release()
    return value
  }

  /// Runs the body to its end, also if the task is cancelled; the exchange limits the time.
  ///
  /// A change of the server, such as a new refresh token, is lost if it is not stored.
  func uninterrupted<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    // A detached task inherits nothing from this one.
    let locks = LockOrder.held
    let task = Task.detached { () -> Result<Value, SDKError> in
      do throws(SDKError) {
        return .success(
          try await LockOrder.holding(locks) { () async throws(SDKError) in
            try await CriticalSection.run(body)
          })
      } catch {
        return .failure(error)
      }
    }
    return try await task.value.get()
  }
}

/// A service of a session, with its environment.
protocol SessionService: Sendable {
  var environment: SessionEnvironment { get }
}

extension SessionService {
  var profile: Profile { environment.profile }

  /// The time.
  func now() -> Timestamp { environment.now() }
}
