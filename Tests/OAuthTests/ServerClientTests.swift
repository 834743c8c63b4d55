import TestSupport

@testable import OAuth

@Suite("ServerClient")
struct ServerClientTests {
  private static let url = "https://id.test/x"

  @Test(
    "turns responses that are not an object with status 2xx into errors",
    arguments: [
      (
        .other(200, "text/html; charset=utf-8", "<html>"), .unavailable,
        "the response of id.test (text/html) is not JSON: unexpected character at line 1, column 1"
      ),
      (
        .other(204, "application/json"), .unavailable,
        "the response of id.test (application/json) is not JSON: it is empty"
      ),
      (.json("[1]"), .malformed, "the response of id.test is not a JSON object"),
      (
        .json(#"{"a":1,"a":2}"#), .unavailable,
        "the response of id.test (application/json) is not JSON: repeated member name at line 1, column 8"
      ),
      // A refusal that is cut.
      (
        .json(#"{"error":"invalid_gra"#, status: 400), .unavailable,
        "the response of id.test (application/json) is not JSON: unfinished string at line 1, column 10"
      ),
      (
        .other(301, "text/html"), .unavailable,
        "id.test returned 301, but such a request follows no redirect"
      ),
      (
        .json("{}", status: 304), .unavailable,
        "id.test returned 304, but such a request follows no redirect"
      ),
      // A coding that nobody asked for, and none.
      (
        .init(fields: [HTTPField(known: "Content-Encoding", "gzip")], body: "\u{1f}"), .unavailable,
        "the response of id.test is not JSON: it is encoded with 'gzip', although no coding was accepted"
      ),
      (
        .init(fields: [HTTPField(known: "Content-Encoding", "Identity")], body: "x"), .unavailable,
        "the response of id.test is not JSON: unexpected character at line 1, column 1"
      ),
      (.json(#"{"error":"invalid_grant"}"#, status: 500), .unavailable, "id.test returned 500"),
      (.other(503, "text/html"), .unavailable, "id.test returned 503"),
    ] as [(FakeTransport.Response, OAuthError.Code, String)])
  func failures(answer: FakeTransport.Response, code: OAuthError.Code, message: String) async throws
  {
    let error = try await Self.error(code, message, of: answer)
    #expect(error?.server == nil)
    #expect(error?.invalidatesGrant == false)
  }

  @Test(
    "returns what the server says of its refusal",
    arguments: [
      (400, #"{"error":"invalid_grant","error_description":"gone"}"#, "invalid_grant", "gone", nil),
      (200, #"{"error":"invalid_grant","error_description":"gone"}"#, "invalid_grant", "gone", nil),
      (401, #"{"error":"invalid_client"}"#, "invalid_client", nil, nil),
      (429, #"{"error":"slow_down"}"#, "slow_down", nil, nil),
      // A vendor's number; in the other spelling, as text and without an error; in other ranges.
      (400, #"{"error":"access_refused","error_code":9004}"#, "access_refused", nil, 9004),
      (403, #"{"errorCode":"10001"}"#, "", nil, 10_001),
      (400, #"{"error":"x","error_code":50076,"errorCode":9100}"#, "x", nil, nil),
      (
        400, #"{"error":"a\u001bb","error_description":"c\nd\u009be\u202ef"}"#, "a b", "c d e f",
        nil
      ),
      // What is no error of OAuth.
      (404, #""no such place""#, "", nil, nil), (404, "404 page not found", "", nil, nil),
      (400, #"{"error":7}"#, "", nil, nil), (403, #"{"error":""}"#, "", nil, nil),
    ] as [(Int, String, String, String?, Int?)])
  func refusals(
    status: Int, body: String, error: String, description: String?, number: Int?
  ) async throws {
    let words = error.isEmpty ? "id.test returned \(status)" : error
    let refusal = try await Self.error(
      status == 429 ? .unavailable : .refused, words + (description.map { " (\($0))" } ?? ""),
      of: .json(body, status: status))
    #expect(
      refusal?.server
        == ServerError(error: error, description: description, status: status, number: number))
    #expect(refusal?.invalidatesGrant == (error == "invalid_grant"))
  }

  /// The error of that kind and message with which a response is refused, after one request.
  private static func error(
    _ code: OAuthError.Code, _ message: String, of answer: FakeTransport.Response
  ) async throws -> OAuthError? {
    let transport = FakeTransport([url: [answer]])
    let error = await expect(code, message) {
      _ = try await ServerClient(transport: transport).object(HTTPRequest(.get, try HTTPURL(url)))
    }
    #expect(error?.transport == nil)
    #expect(transport.sent.count == 1)
    return error
  }

  @Test(
    "reads a body that is not UTF-8 as Latin-1",
    arguments: [
      ("application/json", #"{"error":"invalid_grant","error_description":"gültig"}"#),
      ("application/x-www-form-urlencoded", "error=invalid_grant&error_description=gültig"),
      ("application/x-www-form-urlencoded", "error=invalid_grant&error_description=g%FCltig"),
    ], [200, 400])
  func latin1(answer: (type: String, body: String), status: Int) async throws {
    var response = FakeTransport.Response.other(status, answer.type)
    response.body = answer.body.unicodeScalars.map { UInt8($0.value) }
    let transport = FakeTransport([Self.url: [response]])
    let error = await expect(.refused, "invalid_grant (gültig)") {
      _ = try await ServerClient(transport: transport).object(
        HTTPRequest(.get, try HTTPURL(Self.url)))
    }
    #expect(error?.invalidatesGrant == true)
  }

  @Test("accepts an object with any status 2xx", arguments: [200, 201, 299])
  func object(status: Int) async throws {
    let transport = FakeTransport([Self.url: [.json(#"{"a":1}"#, status: status)]])
    let object = try await ServerClient(transport: transport)
      .object(HTTPRequest(.get, try HTTPURL(Self.url)))
    #expect(object == ["a": 1])
  }

  @Test("accepts no deeper response than the store: 32 levels, not 33")
  func depth() async throws {
    let texts = [32, 33].map { depth in
      #"{"a":"# + String(repeating: "[", count: depth - 1)
        + String(repeating: "]", count: depth - 1) + "}"
    }
    let transport = FakeTransport([Self.url: texts.map { .json($0) }])
    let serverClient = ServerClient(transport: transport)
    let request = HTTPRequest(.get, try HTTPURL(Self.url))
    #expect(try await serverClient.object(request).count == 1)
    await expect(
      .unavailable,
      "the response of id.test (application/json) is not JSON: "
        + "nested deeper than 32 levels at line 1, column 37"
    ) { _ = try await serverClient.object(request) }
  }

  @Test("passes on errors of the transport, also for a body over a mebibyte")
  func transport() async throws {
    let large = FakeTransport.Response(body: String(repeating: " ", count: 1 << 20 | 1))
    let pin = TransportError(.pinMismatch, "no pinned key", host: "id.test", details: ["a"])
    let transport = FakeTransport([Self.url: [large, .failure(pin)]])
    let request = HTTPRequest(.get, try HTTPURL(Self.url))
    let first = await expect(.transport, "the body is larger than 1048576 bytes") {
      _ = try await ServerClient(transport: transport).object(request)
    }
    #expect(first?.transport?.code == .tooLarge)
    let second = await expect(.transport, "no pinned key") {
      _ = try await ServerClient(transport: transport).object(request)
    }
    #expect(second?.transport == pin)
    #expect(second?.server == nil)
  }

  @Test("asks for JSON and bounds the time, unless the request says otherwise")
  func defaults() async throws {
    let transport = FakeTransport([Self.url: [.json("{}")]])
    let serverClient = ServerClient(transport: transport, timeout: .seconds(7))
    let url = try HTTPURL(Self.url)
    try await serverClient.success(HTTPRequest(.get, url))
    try await serverClient.success(
      HTTPRequest(.get, url, fields: [try HTTPField("accept", "text/plain")], timeout: .seconds(1)))
    let sent = transport.sent
    #expect(sent.map { $0.fields.values(of: "Accept") } == [["application/json"], ["text/plain"]])
    #expect(sent.map(\.timeout) == [.seconds(7), .seconds(1)])
    #expect(ServerClient(transport: transport).timeout == .seconds(30))
  }

  @Test(
    "shows no control characters and no endless lines of remote text",
    arguments: [
      ("plain ü", 100, "plain ü"), ("a\u{7}b\u{9b}c\u{200e}d", 100, "a b c d"),
      ("abcdef", 3, "abc"), ("", 3, ""),
    ])
  func printableText(text: String, limit: Int, shown: String) {
    #expect(printable(text, limit: limit) == shown)
  }
}
