import TestSupport

@testable import OAuth

@Suite("Polling for a device's token")
struct DevicePollingTests {
  /// What the token endpoint answers in turn, the pauses before each, and how it ends.
  private static let tokens = FakeTransport.Response.token

  private static func error(_ code: String) -> FakeTransport.Response {
    .json(#"{"error":"\#(code)","error_description":"why"}"#, status: 400)
  }

  private static func trouble(_ code: TransportError.Code) -> FakeTransport.Response {
    .failure(TransportError(code, "trouble"))
  }

  private static let tooLate = "the code was not entered in time"

  static let rows:
    [(String, [FakeTransport.Response], Int64, Int64?, [Int64], OAuthError.Code?, String)] = [
      ("at once", [tokens], 600, nil, [5], nil, ""),
      (
        "pending", [error("authorization_pending"), error("authorization_pending"), tokens], 600,
        nil, [5, 5, 5], nil, ""
      ),
      (
        "slow down stays",
        [error("slow_down"), error("authorization_pending"), error("slow_down"), tokens], 600, nil,
        [5, 10, 10, 15], nil, ""
      ),
      (
        "a network that fails, then does not",
        [
          trouble(.timeout), trouble(.connection), trouble(.nameNotResolved),
          .other(503, "text/plain"), trouble(.timeout), error("authorization_pending"), tokens,
        ], 600, nil, [5, 10, 20, 40, 60, 60, 60], nil, ""
      ),
      (
        "later, as the server says",
        [
          .init(status: 429, fields: [HTTPField(known: "Retry-After", "30")]),
          .other(408, "text/plain"), .json(#"{"error":"temporarily_unavailable"}"#, status: 400),
          .other(200, "text/html", "<p>"), .other(403, "text/html", "<p>"),
          .redirect(302, to: "https://portal.test/"), trouble(.tls), tokens,
        ], 600, nil, [5, 30, 10, 20, 40, 60, 60, 60], nil, ""
      ),
      (
        "declined", [error("authorization_declined")], 600, nil, [5], .denied,
        "authorization_declined (why)"
      ),
      ("the code is old", [error("code_expired")], 600, nil, [5], .unavailable, tooLate),
      ("refused", [error("access_denied")], 600, nil, [5], .denied, "access_denied (why)"),
      ("expired", [error("expired_token")], 600, nil, [5], .unavailable, tooLate),
      ("expired here", [error("authorization_pending")], 12, nil, [5, 6], .unavailable, tooLate),
      (
        "approved in the last interval", [error("authorization_pending"), tokens], 12, nil, [5, 6],
        nil, ""
      ),
      (
        "approved at the end of a limit", [error("authorization_pending"), tokens], 600, 14,
        [5, 9], nil, ""
      ),
      ("less time than an interval", [tokens], 600, 2, [2], nil, ""),
      ("out of patience", [error("authorization_pending")], 600, 5, [5], .unavailable, tooLate),
      ("another error", [error("invalid_client")], 600, nil, [5], .refused, "invalid_client (why)"),
      ("a pin", [trouble(.pinMismatch)], 600, nil, [5], .transport, "trouble"),
      (
        "nonsense", [.json("{}")], 600, nil, [5], .malformed,
        "the token response has no usable access_token"
      ),
    ]

  @Test("waits as long as the server says, and ends", arguments: rows)
  func polls(
    name: String, answers: [FakeTransport.Response], expiresIn: Int64, limit: Int64?,
    pauses: [Int64], error: OAuthError.Code?, message: String
  ) async throws {
    let clock = Clock()
    let transport = FakeTransport(["https://id.test/token": answers])
    let poll = {
      try await Self.poll(transport, clock, expiresIn: expiresIn, within: limit)
    }
    if let code = error {
      await expect(code, message) { _ = try await poll() }
    } else {
      #expect(try await poll().accessToken == "at")
    }
    #expect(clock.pauses == pauses)
    let body =
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d%2B"
      + "&client_id=app"
    #expect(Set(transport.sent.map(\.body)) == [body])
  }

  @Test("ends when the task is cancelled")
  func cancelled() async throws {
    let transport = FakeTransport([:])
    let clock = Clock(isCancelled: true)
    let error = await expect(.transport, "cancelled") {
      _ = try await Self.poll(transport, clock, expiresIn: 600)
    }
    #expect(error?.transport?.code == .cancelled)
    #expect(transport.sent.isEmpty)
  }

  private static func poll(
    _ transport: FakeTransport, _ clock: Clock, expiresIn: Int64, within limit: Int64? = nil
  ) async throws -> TokenResponse {
    let authorization = try DeviceAuthorization([
      "device_code": "d+", "user_code": "u", "verification_uri": "https://id.test/d",
      "expires_in": .int(expiresIn),
    ])
    return try await TokenEndpoint(transport).poll(
      authorization, within: limit, now: { clock.now }, pause: { try clock.pause($0) })
  }

  /// Time that goes by only in pauses.
  private final class Clock: Sendable {
    private let state = Mutex<[Int64]>([])
    private let isCancelled: Bool
    init(isCancelled: Bool = false) { self.isCancelled = isCancelled }
    var pauses: [Int64] { state.withLock { $0 } }
    var now: Timestamp { 1000 + pauses.reduce(0, +) }

    func pause(_ length: Duration) throws {
      if isCancelled { throw CancellationError() }
      state.withLock { $0.append(length.components.seconds) }
    }
  }
}
