import OAuth
package import Primitives

/// The time of a session: what it is, how to wait, and how much of it is left.
package struct SessionClock: Sendable {
  /// Returns the time.
  package let now: @Sendable () -> Timestamp
  /// Waits, between polls and after a failed login.
  package let pause: @Sendable (Duration) async throws -> Void
  package let limits: SessionLimits
  /// The difference between this machine's clock and the authorization server's.
  let server: ServerClock
}
