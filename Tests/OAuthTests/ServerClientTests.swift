import TestSupport

@testable import OAuth

@Suite("ServerClient")
struct ServerClientTests {
  private static let url = "https://id.test/x"

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: FakeTransport.Response
    let code: OAuthError.Code
    let message: String
    var server: ServerError?
    var invalidatesGrant = false
  }

  @Test(
    "turns responses that are not an object with status 2xx into errors",
    arguments: [
      Row(
        testDescription: "HTML", answer: .other(200, "text/html; charset=utf-8", "<html>"),
        code: .unavailable,
        message: "the response of id.test (text/html) is not JSON: "
          + "unexpected character at line 1, column 1"),
      Row(
        testDescription: "empty", answer: .other(204, "application/json"), code: .unavailable,
        message: "the response of id.test (application/json) is not JSON: it is empty"),
      Row(
        testDescription: "array", answer: .json("[1]"), code: .malformed,
        message: "the response of id.test is not a JSON object"),
      Row(
        testDescription: "half sent", answer: .json(#"{"a":"#), code: .unavailable,
        message: "the response of id.test (application/json) is not JSON: "
          + "unexpected end of the document at line 1, column 6"),
      Row(
        testDescription: "repeated member", answer: .json(#"{"a":1,"a":2}"#), code: .unavailable,
        message: "the response of id.test (application/json) is not JSON: "
          + "repeated member name at line 1, column 8"),
      Row(
        testDescription: "301", answer: .other(301, "text/html"), code: .unavailable,
        message: "id.test returned 301, but such a request follows no redirect"),
      Row(
        testDescription: "304", answer: .json("{}", status: 304), code: .unavailable,
        message: "id.test returned 304, but such a request follows no redirect"),
      Row(
        testDescription: "invalid_grant",
        answer: .json(#"{"error":"invalid_grant","error_description":"gone"}"#, status: 400),
        code: .refused, message: "invalid_grant (gone)",
        server: ServerError(error: "invalid_grant", description: "gone", status: 400),
        invalidatesGrant: true),
      Row(
        testDescription: "invalid_client",
        answer: .json(#"{"error":"invalid_client"}"#, status: 401), code: .refused,
        message: "invalid_client",
        server: ServerError(error: "invalid_client", description: nil, status: 401)),
      Row(
        testDescription: "a refusal with status 200",
        answer: .json(#"{"error":"invalid_grant","error_description":"gone"}"#), code: .refused,
        message: "invalid_grant (gone)",
        server: ServerError(error: "invalid_grant", description: "gone", status: 200),
        invalidatesGrant: true),
      Row(
        testDescription: "a vendor's number",
        answer: .json(#"{"error":"access_refused","error_code":9004}"#, status: 400),
        code: .refused, message: "access_refused",
        server: ServerError(
          error: "access_refused", description: nil, status: 400, number: 9004)),
      Row(
        testDescription: "a vendor's number as text, in the other spelling, without an error",
        answer: .json(#"{"errorCode":"10001"}"#, status: 403),
        code: .refused, message: "id.test returned 403",
        server: ServerError(error: "", description: nil, status: 403, number: 10_001)),
      Row(
        testDescription: "a number of other ranges",
        answer: .json(#"{"error":"x","error_code":50076,"errorCode":9100}"#, status: 400),
        code: .refused, message: "x",
        server: ServerError(error: "x", description: nil, status: 400)),
      Row(
        testDescription: "control characters",
        answer: .json(
          #"{"error":"a\u001bb","error_description":"c\nd\u009be\u202ef"}"#, status: 400),
        code: .refused, message: "a b (c d e f)",
        server: ServerError(error: "a b", description: "c d e f", status: 400)),
      Row(
        testDescription: "404 without OAuth", answer: .other(404, "text/html", "<p>"),
        code: .refused, message: "id.test returned 404",
        server: ServerError(error: "", description: nil, status: 404)),
      Row(
        testDescription: "a JSON text in place of an object",
        answer: .json(#""no such place""#, status: 404), code: .refused,
        message: "id.test returned 404",
        server: ServerError(error: "", description: nil, status: 404)),
      Row(
        testDescription: "text that is announced as JSON",
        answer: .json("404 page not found", status: 404), code: .refused,
        message: "id.test returned 404",
        server: ServerError(error: "", description: nil, status: 404)),
      Row(
        testDescription: "error of another type", answer: .json(#"{"error":7}"#, status: 400),
        code: .refused, message: "id.test returned 400",
        server: ServerError(error: "", description: nil, status: 400)),
      Row(
        testDescription: "empty error", answer: .json(#"{"error":""}"#, status: 403),
        code: .refused, message: "id.test returned 403",
        server: ServerError(error: "", description: nil, status: 403)),
      Row(
        testDescription: "500 that speaks of the grant",
        answer: .json(#"{"error":"invalid_grant"}"#, status: 500), code: .unavailable,
        message: "id.test returned 500"),
      Row(
        testDescription: "429", answer: .json(#"{"error":"slow_down"}"#, status: 429),
        code: .unavailable,
        message: "slow_down", server: ServerError(error: "slow_down", description: nil, status: 429)
      ),
      Row(
        testDescription: "a coding that nobody asked for",
        answer: .init(fields: [HTTPField(known: "Content-Encoding", "gzip")], body: "\u{1f}"),
        code: .unavailable,
        message:
          "the response of id.test is not JSON: it is encoded with 'gzip', although no coding was "
          + "accepted"),
      Row(
        testDescription: "text that is not encoded, and says so",
        answer: .init(fields: [HTTPField(known: "Content-Encoding", "Identity")], body: "x"),
        code: .unavailable,
        message: "the response of id.test is not JSON: unexpected character at line 1, column 1"),
      Row(
        testDescription: "a refusal that is cut",
        answer: .json(#"{"error":"invalid_gra"#, status: 400), code: .unavailable,
        message:
          "the response of id.test (application/json) is not JSON: unfinished string at line 1, column 10"
      ),
      Row(
        testDescription: "503", answer: .other(503, "text/html"), code: .unavailable,
        message: "id.test returned 503"),
    ])
  func failures(row: Row) async throws {
    let transport = FakeTransport([Self.url: [row.answer]])
    let error = await expect(row.code, row.message) {
      _ = try await ServerClient(transport: transport).object(
        HTTPRequest(.get, try HTTPURL(Self.url)))
    }
    #expect(error?.server == row.server)
    #expect(error?.transport == nil)
    #expect(error?.invalidatesGrant == row.invalidatesGrant)
    #expect(transport.sent.count == 1)
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
    let large = FakeTransport.Response(
      body: String(repeating: " ", count: 1 << 20 | 1))
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
