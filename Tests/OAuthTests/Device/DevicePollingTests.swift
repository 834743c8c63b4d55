import TestSupport

@testable import OAuth

@Suite("Polling for a device's token")
struct DevicePollingTests {
  /// What the token endpoint answers in turn, the pauses before each, and how it ends.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answers: [FakeTransport.Response]
    var expiresIn: Int64 = 600
    var limit: Int64?
    let pauses: [Int64]
    var error: OAuthError.Code?
    var message = ""
  }

  private static let tokens = FakeTransport.Response.json(
    #"{"access_token":"at","token_type":"bearer"}"#)

  private static func error(_ code: String) -> FakeTransport.Response {
    .json(#"{"error":"\#(code)","error_description":"why"}"#, status: 400)
  }

  private static func trouble(_ code: TransportError.Code) -> FakeTransport.Response {
    .failure(TransportError(code, "trouble"))
  }

  private static let tooLate = "the code was not entered in time"

  static let rows: [Row] = [
    Row(testDescription: "at once", answers: [tokens], pauses: [5]),
    Row(
      testDescription: "pending",
      answers: [error("authorization_pending"), error("authorization_pending"), tokens],
      pauses: [5, 5, 5]),
    Row(
      testDescription: "slow down stays",
      answers: [
        error("slow_down"), error("authorization_pending"), error("slow_down"), tokens,
      ], pauses: [5, 10, 10, 15]),
    Row(
      testDescription: "a network that fails, then does not",
      answers: [
        trouble(.timeout), trouble(.connection), trouble(.nameNotResolved),
        .other(503, "text/plain"), trouble(.timeout), error("authorization_pending"), tokens,
      ], pauses: [5, 10, 20, 40, 60, 60, 60]),
    Row(
      testDescription: "later, as the server says",
      answers: [
        .init(status: 429, fields: [HTTPField(known: "Retry-After", "30")]),
        .other(408, "text/plain"),
        .json(#"{"error":"temporarily_unavailable"}"#, status: 400),
        .other(200, "text/html", "<p>"),
        .other(403, "text/html", "<p>"), .redirect(302, to: "https://portal.test/"), trouble(.tls),
        tokens,
      ], pauses: [5, 30, 10, 20, 40, 60, 60, 60]),
    Row(
      testDescription: "declined", answers: [error("authorization_declined")], pauses: [5],
      error: .denied, message: "authorization_declined (why)"),
    Row(
      testDescription: "the code is old", answers: [error("code_expired")], pauses: [5],
      error: .unavailable, message: tooLate),
    Row(
      testDescription: "refused", answers: [error("access_denied")], pauses: [5], error: .denied,
      message: "access_denied (why)"),
    Row(
      testDescription: "expired", answers: [error("expired_token")], pauses: [5],
      error: .unavailable, message: tooLate),
    Row(
      testDescription: "expired here", answers: [error("authorization_pending")], expiresIn: 12,
      pauses: [5, 6], error: .unavailable, message: tooLate),
    Row(
      testDescription: "approved in the last interval",
      answers: [error("authorization_pending"), tokens], expiresIn: 12, pauses: [5, 6]),
    Row(
      testDescription: "approved at the end of a limit",
      answers: [error("authorization_pending"), tokens], limit: 14, pauses: [5, 9]),
    Row(testDescription: "less time than an interval", answers: [tokens], limit: 2, pauses: [2]),
    Row(
      testDescription: "out of patience", answers: [error("authorization_pending")], limit: 5,
      pauses: [5], error: .unavailable, message: tooLate),
    Row(
      testDescription: "another error", answers: [error("invalid_client")], pauses: [5],
      error: .refused, message: "invalid_client (why)"),
    Row(
      testDescription: "a pin", answers: [trouble(.pinMismatch)], pauses: [5],
      error: .transport, message: "trouble"),
    Row(
      testDescription: "nonsense", answers: [.json("{}")], pauses: [5], error: .malformed,
      message: "the token response has no usable access_token"),
  ]

  @Test("waits as long as the server says, and ends", arguments: rows)
  func polls(row: Row) async throws {
    let clock = Clock()
    let transport = FakeTransport(["https://id.test/token": row.answers])
    let poll = {
      try await Self.poll(transport, clock, expiresIn: row.expiresIn, within: row.limit)
    }
    if let code = row.error {
      await expect(code, row.message) { _ = try await poll() }
    } else {
      #expect(try await poll().accessToken == "at")
    }
    #expect(clock.pauses == row.pauses)
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
    let client = ClientAuthentication(clientID: "app", method: .none, secret: nil)
    let endpoint = TokenEndpoint(
      try HTTPURL("https://id.test/token"), client: client, over: ServerClient(transport: transport)
    )
    return try await endpoint.poll(
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
