import OAuth
package import Primitives

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

  /// The time to the deadline; `nil` without one.
  package var remaining: Duration? {
    deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
  }

  /// A time that does not go beyond the deadline.
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
