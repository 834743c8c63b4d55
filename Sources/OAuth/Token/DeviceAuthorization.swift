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
    let names = ["verification_uri", "verification_url"]
    let address = names.lazy.compactMap { document[$0] }.first { $0 != .null }
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
    guard let value, ![.null, ""].contains(value) else { return nil }
    guard let url = value.string.flatMap({ try? HTTPURL($0) }) else {
      throw OAuthError(.malformed, "'\(name)' of the device response is not a usable URL")
    }
    return url
  }

  /// The maximum lifetime of a code and the maximum wait of a poll: one day.
  private static let longest: Int64 = 86_400
}

extension TokenEndpoint {
  /// Polls until the user has agreed to a device login, and returns the tokens (RFC 8628 section 3.5).
  ///
  /// The first poll is sent after one interval. `slow_down` adds five seconds to the interval; a
  /// network or server failure doubles it, up to a minute, unless the server says how long to wait.
  /// The last poll is sent when the time ends, a second before the codes expire, and the poll before it
  /// early enough for that.
  ///
  /// `pause` throws if the task is cancelled.
  package func poll(
    _ authorization: DeviceAuthorization, within limit: Int64? = nil,
    now: @Sendable () -> Timestamp, pause: @Sendable (Duration) async throws -> Void
  ) async throws(OAuthError) -> TokenResponse {
    let lifetime = max(authorization.expiresIn.subtractingClamped(1), 1)
    let end = now() + min(lifetime, limit ?? lifetime)
    var interval = authorization.interval
    var wait = interval
    while true {
      let left = end.seconds(since: now())
      let isLast = left < wait.addingClamped(interval)
      do {
        try await pause(.seconds(max(isLast ? left : wait, 0)))
      } catch {
        throw OAuthError(TransportError(.cancelled, "cancelled"))
      }
      do {
        return try await device(code: authorization.deviceCode)
      } catch {
        interval = try error.interval(after: interval)
        wait = max(interval, error.pause ?? 0)
        if isLast { throw OAuthError.tooLate }
      }
    }
  }
}

extension OAuthError {
  /// How long to wait after a poll without a token.
  fileprivate func interval(after interval: Int64) throws(OAuthError) -> Int64 {
    switch (code, server?.error, transport?.code) {
    case (_, "authorization_pending", _): return interval
    case (_, "slow_down", _): return interval + 5
    // Microsoft has names of its own for both ends.
    case (.refused, "expired_token", _), (.refused, "code_expired", _): throw .tooLate
    case (.refused, "access_denied", _), (.refused, "authorization_declined", _):
      throw OAuthError(.denied, message, server: server)
    case (.unavailable, _, _) where pause != nil: return interval
    case (.unavailable, _, _), (_, _, .timeout), (_, _, .connection), (_, _, .nameNotResolved),
      (_, _, .proxy),
      // The login page of a network cannot show the certificate of the server.
      (_, _, .tls):
      return max(interval, min(interval * 2, 60))
    default: throw self
    }
  }

  fileprivate static let tooLate = OAuthError(.unavailable, "the code was not entered in time")
}
