import HTTP
import JSON
package import Primitives

/// Polls the token endpoint until the user has decided (RFC 8628 section 3.5).
package struct DevicePolling: Sendable {
  package let authorization: DeviceAuthorization
  package let endpoint: TokenEndpoint
  /// The clock.
  package let now: @Sendable () -> Timestamp
  /// Waits; throws if the task is cancelled.
  package let pause: @Sendable (Duration) async throws -> Void

  package init(
    _ authorization: DeviceAuthorization, at endpoint: TokenEndpoint,
    now: @escaping @Sendable () -> Timestamp,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.authorization = authorization
    self.endpoint = endpoint
    self.now = now
    self.pause = pause
  }

  /// The tokens, after the user has agreed.
  ///
  /// The first poll is sent after one interval. `slow_down` adds five seconds to the interval; a
  /// network or server failure doubles it, up to a minute, unless the server says how long to wait.
  /// The last poll is sent when the time ends, a second before the codes expire, and the poll before it
  /// early enough for that.
  ///
  /// - Parameter limit: the seconds to wait at most, if the codes are valid for longer.
  /// - Returns: the response of the token endpoint.
  /// - Throws: ``OAuthError``: `denied` if the user refused, `unavailable` if the user
  ///   did not decide in time.
  package func tokens(within limit: Int64? = nil) async throws(OAuthError) -> TokenResponse {
    let lifetime = max(authorization.expiresIn.subtractingClamped(1), 1)
    let end = now() + min(lifetime, limit ?? lifetime)
    var interval = authorization.interval
    var pause = interval
    while true {
      let left = end.seconds(since: now())
      let isLast = left < pause.addingClamped(interval)
      try await wait(max(isLast ? left : pause, 0))
      do {
        return try await endpoint.device(code: authorization.deviceCode)
      } catch {
        interval = try Self.interval(after: error, interval)
        pause = max(interval, error.pause ?? 0)
        if isLast { throw Self.tooLate }
      }
    }
  }

  /// How long to wait after a poll without a token.
  private static func interval(
    after error: OAuthError, _ interval: Int64
  ) throws(OAuthError) -> Int64 {
    switch (error.code, error.server?.error, error.transport?.code) {
    case (_, "authorization_pending", _): return interval
    case (_, "slow_down", _): return interval + 5
    // Microsoft has names of its own for both ends.
    case (.refused, "expired_token", _), (.refused, "code_expired", _): throw tooLate
    case (.refused, "access_denied", _), (.refused, "authorization_declined", _):
      throw OAuthError(.denied, error.message, server: error.server)
    case (.unavailable, _, _) where error.pause != nil: return interval
    case (.unavailable, _, _), (_, _, .timeout), (_, _, .connection), (_, _, .nameNotResolved),
      (_, _, .proxy),
      // The login page of a network cannot show the certificate of the server.
      (_, _, .tls):
      return max(interval, min(interval * 2, 60))
    default: throw error
    }
  }

  private func wait(_ seconds: Int64) async throws(OAuthError) {
    do {
      try await pause(.seconds(seconds))
    } catch {
      throw OAuthError(TransportError(.cancelled, "cancelled"))
    }
  }

  private static let tooLate = OAuthError(
    .unavailable, "the code was not entered in time")
}
