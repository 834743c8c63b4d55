package import HTTP
import Curl
package import OAuth
public import Pinning
package import POSIX

/// One profile, opened: its store, its pins and its way to the network.
///
/// Opening reads the profile and its pins; the transport is made when a command
/// first needs it, so that work without network never loads libcurl.
public struct ProfileSession: Sendable {
  /// The profile.
  public let profile: Profile
  /// Its pins.
  public let pins: PinBook
  /// An access token from outside the store, which stands for the user slot (CI).
  public let injectedToken: String?

  let store: ProfileStore
  let now: @Sendable () -> Int64
  let limits: SessionLimits
  /// The way to the network, with the profile's trust and pins.
  let transport: any Transport

  /// Opens a profile.
  ///
  /// - Parameters:
  ///   - name: the profile.
  ///   - store: where it lies.
  ///   - injectedToken: an access token to use in place of the stored one.
  ///   - limits: how long things may take.
  ///   - now: the clock, in seconds since 1970.
  ///   - makeTransport: makes the way to the network.
  /// - Throws: ``SDKError`` when the profile or its pins cannot be read.
  package init(
    _ name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    limits: SessionLimits = SessionLimits(),
    now: @escaping @Sendable () -> Int64 = { SystemClock.now() },
    makeTransport: @escaping @Sendable (TransportSettings) -> any Transport
  ) throws(SDKError) {
    profile = try store.profile(name)
    pins = try PinStore(store.location, name).load()
    self.injectedToken = injectedToken
    self.store = store
    self.limits = limits
    self.now = now
    let settings = TransportSettings(
      caFile: profile.caFile, pins: pins, pinPolicy: profile.pinPolicy,
      insecureLoopback: profile.insecureLoopback)
    transport = LazyTransport { makeTransport(settings) }
  }

  /// Opens a profile with the real network under it.
  public init(
    opening name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    userAgent: String = "sdkctl"
  ) throws(SDKError) {
    try self.init(
      name, in: store, injectedToken: injectedToken,
      makeTransport: { $0.transport(userAgent: userAgent) })
  }

  /// Exchanges with the authorization server over that transport.
  func exchange() -> Exchange { Exchange(transport: transport, timeout: limits.exchange) }

  /// Holds a lock of the profile while the body runs.
  ///
  /// - Throws: ``SDKError/Code/busy`` when it is not free in time.
  func locked<Value: Sendable>(
    _ lock: String, waiting timeout: Duration? = nil,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let path = store.location.lock(lock, of: profile.name)
    do throws(SystemError) {
      try Directory.create(Directory.parent(of: path), mode: 0o700)
    } catch {
      throw SDKError(.store, "could not make the locks of '\(profile.name)': \(error)")
    }
    let held = try await acquire(path, timeout ?? limits.lock, lock)
    let value = try await body()
    held.release()
    return value
  }

  private func acquire(
    _ path: String, _ timeout: Duration, _ lock: String
  ) async throws(SDKError) -> FileLock {
    do {
      return try await FileLock.acquire(path, timeout: timeout)
    } catch {
      switch error {
      case .timedOut:
        throw SDKError(
          .busy, "could not get the lock '\(lock)' of '\(profile.name)' in \(timeout): "
            + "another process holds it")
      case .cancelled: throw SDKError(.cancelled, "could not get the lock '\(lock)': cancelled")
      case .system(let error):
        throw SDKError(.store, "could not get the lock '\(lock)' of '\(profile.name)': \(error)")
      }
    }
  }
}

/// How long the steps of a session may take.
package struct SessionLimits: Sendable {
  /// One exchange with the authorization server.
  package var exchange: Duration = .seconds(30)
  /// Waiting for another process: longer than an exchange, or a slow one fails all waiters.
  package var lock: Duration = .seconds(60)
  /// A login, from the open browser to the answer.
  package var login: Duration = .seconds(300)
  /// One resource request; `nil` for no bound.
  package var fetch: Duration?

  package init() {}
}

/// What a transport must know of a profile.
package struct TransportSettings: Sendable {
  package let caFile: String?
  package let pins: PinBook
  package let pinPolicy: PinPolicy
  package let insecureLoopback: Bool
}
