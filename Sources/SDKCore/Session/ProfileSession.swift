import HTTP
import OAuth
import POSIX
public import Pinning

/// One profile, opened: its store, its pins and its way to the network.
///
/// Opening reads the profile and its pins; the transport is made when a command
/// first needs it, so that work without network never loads libcurl.
public struct ProfileSession: Sendable {
  /// The profile.
  public let profile: Profile
  /// Its pins.
  public let pins: PinSets
  /// An access token from outside the store, which stands for the user slot (CI).
  public let injectedToken: String?

  let store: ProfileStore
  let now: @Sendable () -> Int64
  let limits: SessionLimits
  /// Lets time go by, between polls and after a failed login.
  let pause: @Sendable (Duration) async throws -> Void
  let options: SessionOptions
  /// What the answers of the authorization server tell of this machine's clock.
  let clock: ServerClock
  /// What servers told for proofs of possession.
  let nonces: NonceBook
  /// The servers whose metadata is as new as this session.
  let discoveries = Discoveries()
  /// The way to the network, with the profile's trust and pins.
  let transport: any Transport
  let network: Network

  /// Opens a profile.
  ///
  /// - Parameters:
  ///   - name: the profile.
  ///   - store: where it lies.
  ///   - injectedToken: an access token to use in place of the stored one.
  ///   - options: what the caller chooses of requests.
  ///   - limits: how long things may take; `nil` for those of the options.
  ///   - now: the clock, in seconds since 1970.
  ///   - pause: lets time go by; throws when the task is cancelled.
  ///   - network: how the session reaches servers.
  /// - Throws: ``SDKError`` when the profile or its pins cannot be read.
  package init(
    _ name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    options: SessionOptions = SessionOptions(), limits: SessionLimits? = nil,
    now: @escaping @Sendable () -> Int64 = { SystemClock.now() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    network: Network
  ) throws(SDKError) {
    profile = try store.profile(name)
    pins = try PinStore(store.location, name).load()
    self.injectedToken = injectedToken
    self.store = store
    self.options = options
    self.limits = limits ?? SessionLimits(options.timeout, deadline: options.deadline)
    self.now = now
    self.pause = pause
    clock = ServerClock(now: now, tell: options.clockReport)
    nonces = NonceBook(store.location, name)
    self.network = network
    let settings = TransportSettings(profile, pins)
    transport = LazyTransport { network.makeTransport(settings, options) }
  }

  /// Opens a profile with the real network under it.
  public init(
    opening name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    options: SessionOptions = SessionOptions()
  ) throws(SDKError) {
    try self.init(
      name, in: store, injectedToken: injectedToken, options: options, network: .curl)
  }

  /// Where the files of the profile lie: configuration first, then state.
  public var directories: [String] {
    [store.location.configuration(of: profile.name), store.location.state(of: profile.name)]
  }

  /// The file or directory of the authorities that count; `nil` for libcurl's own choice.
  public var authorities: String? {
    let settings = TransportSettings(profile, pins)
    return settings.caFile(options) ?? settings.caDirectory(options)
  }

  /// By how many seconds this machine's clock is behind the authorization server's.
  ///
  /// Less than none when it is ahead; `nil` while both agree to the minute, and before the
  /// first answer. Nothing is decided by it.
  public var clockDelay: Int64? { clock.behind }

  /// Exchanges with the authorization server over that transport.
  func exchange() -> ServerClient {
    ServerClient(transport: transport, timeout: limits.exchange, clock: clock)
  }

  /// Holds a lock of the profile while the body runs.
  ///
  /// - Throws: ``SDKError/Code/busy`` when it is not free in time, or what stands in its place.
  func locked<Value: Sendable>(
    _ lock: ProfileLock, waiting timeout: Duration? = nil, busy: SDKError? = nil,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    // Neither before nor while we wait may anything of a removed profile come to life again.
    guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
    let held: FileLock
    do {
      held = try await ProfileLock.acquire(
        lock, of: profile.name, at: store.location,
        waiting: timeout.map { min($0, limits.remaining ?? $0) } ?? limits.lock)
    } catch {
      // With a removed profile its locks went.
      guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
      guard error.code == .busy, let busy else { throw error }
      throw busy
    }
    guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
    let value = try await body()
    held.release()
    return value
  }
}
