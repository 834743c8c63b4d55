public import HTTP
package import JSON
package import Primitives

/// The codes of a device login (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable, Hashable {
  /// The secret with which this device polls.
  let deviceCode: String
  /// The code that the user enters.
  public let userCode: String
  /// The address where the user enters it.
  public let verificationURI: HTTPURL
  /// The same address with the code, for a link or a QR code.
  public let completeURI: HTTPURL?
  /// The lifetime of the codes in seconds.
  public let expiresIn: Int64
  /// Seconds between two polls.
  package let interval: Int64

  package init(_ document: JSONObject) throws(OAuthError) {
    deviceCode = try Self.text("device_code", in: document)
    userCode = printable(try Self.text("user_code", in: document), limit: 100)
    // Older servers write "url".
    let address = document["verification_uri"] ?? document["verification_url"]
    guard let uri = try Self.url(address, "verification_uri") else {
      throw OAuthError(.malformed, "the device response has no verification_uri")
    }
    verificationURI = uri
    completeURI = try Self.url(document["verification_uri_complete"], "verification_uri_complete")
    guard let lifetime = document["expires_in"]?.seconds, lifetime > 0 else {
      throw OAuthError(.malformed, "the device response has no usable expires_in")
    }
    expiresIn = min(lifetime, Self.longest)
    interval = min(max(document["interval"]?.seconds ?? 5, 1), Self.longest)
  }

  /// Requests codes (RFC 8628 section 3.1).
  package static func request(
    at endpoint: HTTPURL, scope: String?, client: ClientAuthentication,
    over serverClient: ServerClient
  ) async throws(OAuthError) -> DeviceAuthorization {
    var parameters = FormParameters()
    parameters["scope"] = scope
    return try DeviceAuthorization(
      try await serverClient.object(parameters, to: endpoint, as: client))
  }

  private static func text(
    _ name: String, in document: JSONObject
  ) throws(OAuthError) -> String {
    guard let text = document[name]?.string, !text.isEmpty else {
      throw OAuthError(.malformed, "the device response has no \(name)")
    }
    return text
  }

  private static func url(_ value: JSON?, _ name: String) throws(OAuthError) -> HTTPURL? {
    guard let value, value != .null else { return nil }
    guard let url = value.string.flatMap({ try? HTTPURL($0) }) else {
      throw OAuthError(.malformed, "'\(name)' of the device response is not a usable URL")
    }
    return url
  }

  /// The maximum lifetime of a code and the maximum wait of a poll: one day.
  private static let longest: Int64 = 86_400
}

/// Polls the token endpoint until the user has decided (RFC 8628 section 3.5).
package struct DevicePolling: Sendable {
  package let authorization: DeviceAuthorization
  package let endpoint: TokenEndpoint
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
