package import HTTP
package import OAuth
import POSIX
import Pinning
package import Primitives

/// What every service of a session gets: the profile, the store, the clock and the transport.
package final class SessionEnvironment: Sendable {
  package let profile: Profile
  package let user: UserID
  package let store: ProfileStore
  package let clock: SessionClock
  package let transport: any Transport
  /// What is added to each token request: the profile's, and those of the session.
  let tokenParameters: [TokenParameter]
  private let trace: (@Sendable (String) -> Void)?

  init(
    _ profile: Profile, of user: UserID, in store: ProfileStore, _ clock: SessionClock,
    over transport: any Transport, tokenParameters: [TokenParameter] = [],
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.trace = trace
    self.tokenParameters = tokenParameters.overriding(profile.tokenParameters)
    self.profile = profile
    self.user = user
    self.store = store
    self.clock = clock
    self.transport = transport
  }

  func of(_ user: UserID) -> SessionEnvironment {
    user == self.user
      ? self
      : SessionEnvironment(
        profile, of: user, in: store, clock, over: transport, tokenParameters: tokenParameters,
        trace: trace)
  }

  package func now() -> Timestamp { clock.now() }

  package var location: StoreLocation { store.location }

  package func userFile(_ document: String) -> StorePath {
    location.userFile(document, of: user, profile.name)
  }

  package var secrets: ProfileSecrets {
    ProfileSecrets(
      location: location, profile: profile.name, user: user, sharedPlaces: store.sharedPlaces,
      remaining: { [limits = clock.limits] in limits.remaining })
  }

  /// Takes what other machines have stored meanwhile of the registration and a user, `nil` for all; what cannot be
  /// reached now is asked under its lock again.
  func update(of user: UserID?) async { _ = try? await secrets.update(of: user) }

  /// Makes the user of the session, who has logged in, the current one if nobody is.
  ///
  /// Otherwise a command that names no user would go on as another one.
  package func becomeCurrentUser() async throws(SDKError) {
    guard try await !store.hasCurrentUser(of: profile.name) else { return }
    try await store.setCurrentUser(user, of: profile.name)
  }

  var nobody: String {
    user == .standard
      ? "nobody is logged in to '\(profile.name)'"
      : "the user '\(user)' is not logged in to '\(profile.name)'"
  }

  package func serverClient() -> ServerClient {
    var client = ServerClient(
      transport: transport, timeout: clock.limits.exchange, clock: clock.server)
    client.trace = trace
    return client
  }
}

extension SessionEnvironment {
  /// Holds a lock of the profile while the body runs; if it `mustRun`, also if other machines cannot be reached.
  package func locked<Value: Sendable>(
    _ lock: ProfileLock, waiting timeout: Duration? = nil, busy: SDKError? = nil,
    mustRun: Bool = false, _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    try await locked(
      lock, waiting: timeout, busy: busy, mustRun: mustRun,
      unless: { () async throws(SDKError) -> Value? in nil }
    ) { (_) async throws(SDKError) in try await body() }
  }

  /// Holds the lock of the machine, then that of the place which has what it guards.
  ///
  /// `done` is called first, and when another machine may have done the work; a value ends the wait.
  package func locked<Value: Sendable>(
    _ lock: ProfileLock, waiting timeout: Duration? = nil, busy: SDKError? = nil,
    mustRun: Bool = false, unless done: () async throws(SDKError) -> Value?,
    _ body: (Presentation) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let limit = timeout.map { min($0, clock.limits.remaining ?? $0) } ?? clock.limits.lock
    return try await store.holding(.init(lock), of: profile.name, busy: busy) {
      () async throws(SDKError) in
      try await secrets.locked(lock, waiting: limit, mustRun: mustRun, unless: done, body)
    } acquiring: { () async throws(SDKError) in
      try await ProfileLock.acquire(lock, of: profile.name, at: location, waiting: limit)
    }
  }

  /// Runs the body to its end, also if the task is cancelled; the exchange limits the time.
  ///
  /// A change of the server, such as a new refresh token, is lost if it is not stored.
  package func uninterrupted<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    // A detached task inherits nothing from this one.
    let locks = LockOrder.held
    let task = Task.detached {
      await Result { () async throws(SDKError) in
        try await LockOrder.$held.with(locks) { () async throws(SDKError) in
          try await CriticalSection.run(body)
        }
      }
    }
    return try await task.value.get()
  }
}

extension SessionEnvironment {
  /// Refuses what would contact servers without pins, before a person is asked for anything; makes no connection.
  ///
  /// - Returns: the hosts of `others` that have no pins.
  @discardableResult
  package func requirePins(
    of urls: [HTTPURL], besides others: [HTTPURL] = []
  ) throws(SDKError) -> [String] {
    let missing = try unpinned(urls) { (refusal) throws(SDKError) in throw SDKError(refusal) }
    let later = try unpinned(others) { _ in }.filter { !missing.contains($0) }
    guard !missing.isEmpty else { return later }
    throw SDKError(
      .pin, cause: "no key is pinned for \(missing.joined(separator: ", "))",
      details: later.isEmpty
        ? [] : ["not needed now, but not pinned either: \(later.joined(separator: ", "))"],
      subject: missing[0], remedy: .pinHosts(missing))
  }

  private func unpinned(
    _ urls: [HTTPURL], refused: (TransportError) throws(SDKError) -> Void
  ) throws(SDKError) -> [String] {
    var hosts: [String] = []
    for url in urls {
      guard let refusal = transport.refusal(of: url) else { continue }
      if refusal.code == .notPinned {
        if !hosts.contains(url.authority) { hosts.append(url.authority) }
      } else {
        try refused(refusal)
      }
    }
    return hosts
  }
}

/// How long the steps of a session may take: never beyond the deadline.
package struct SessionLimits: Sendable {
  private let deadline: ContinuousClock.Instant?
  private var longestExchange = Duration.seconds(30)
  private var longestWait = Duration.seconds(60)
  private var longestLogin: Duration?

  init(_ timeout: Duration? = nil, deadline: ContinuousClock.Instant? = nil) {
    self.deadline = deadline
    guard let timeout else { return }
    longestExchange = min(longestExchange, timeout)
    longestWait = min(longestWait, timeout)
    longestLogin = timeout
  }

  package var exchange: Duration {
    get { bounded(longestExchange) }
    set { longestExchange = newValue }
  }

  /// Waiting for another process: longer than an exchange, or a slow one fails all waiters.
  package var lock: Duration {
    get { bounded(longestWait) }
    set { longestWait = newValue }
  }

  /// A login, from the open browser to the response: five minutes, or all the time that is left.
  package var login: Duration {
    get { longestLogin.map(bounded) ?? remaining ?? .seconds(300) }
    set { longestLogin = newValue }
  }

  package var remaining: Duration? {
    deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
  }

  package func bounded(_ duration: Duration) -> Duration { min(duration, remaining ?? duration) }
}

/// The time of a session: what it is, how to wait, and how much of it is left.
package struct SessionClock: Sendable {
  package let now: @Sendable () -> Timestamp
  /// Waits, between polls and after a failed login.
  package let pause: @Sendable (Duration) async throws -> Void
  package let limits: SessionLimits
  /// The difference between this machine's clock and the authorization server's.
  let server: ServerClock
}
