import TestSupport

@Suite("A response")
struct HTTPResponseTests {
  private static func response(
    _ status: Int, type: String? = nil, _ body: String = ""
  ) throws -> HTTPResponse {
    let fields = try type.map { [try HTTPField("content-type", $0)] } ?? []
    return HTTPResponse(
      status: status, fields: HTTPFields(fields), body: Array(body.utf8),
      url: try HTTPURL("https://h/"))
  }

  @Test(
    "has a media type in lower case, without parameters",
    arguments: [
      ("application/json", "application/json"), ("Application/JSON", "application/json"),
      ("application/json;charset=utf-8", "application/json"), ("text/html \t; x=y; z", "text/html"),
      ("application/problem+json;q=\"a;b\"", "application/problem+json"), (";x", ""), ("", ""),
      ("application/json;\u{301}x", "application/json"),
      // Other text is another type.
      ("application/ json", "application/ json"), ("appli cation/json", "appli cation/json"),
      ("application/json, text/html", "application/json, text/html"), ("*/*", "*/*"),
      ("application/j\u{17F}on", "application/j\u{17F}on"),
      ("application/json\u{301}", "application/json\u{301}"),
      ("te\u{212A}t/html", "te\u{212A}t/html"), ("\u{A0}text/html", "\u{A0}text/html"),
    ])
  func mediaTypes(field: String, type: String) throws {
    let read = try Self.response(200, type: field).mediaType
    #expect(read.map { Array($0.utf8) } == Array(type.utf8))
  }

  @Test("without a Content-Type has no media type")
  func noType() throws { #expect(try Self.response(200).mediaType == nil) }

  @Test(
    "with a status from 200 to 299 is a success",
    arguments: [
      (100, false), (199, false), (200, true), (204, true), (299, true), (300, false), (404, false),
    ])
  func success(status: Int, isSuccess: Bool) throws {
    #expect(try Self.response(status).isSuccess == isSuccess)
  }

  @Test("asks to wait until a date only if it says what time it is")
  func pause() throws {
    var response = try Self.response(503)
    let (sent, until) = ("Thu, 01 Jan 1970 00:00:50 GMT", "Thu, 01 Jan 1970 00:01:00 GMT")
    for (date, seconds) in [(sent, 10), ("", nil)] as [(String, Int64?)] {
      response.fields = [HTTPField(known: "Retry-After", until), HTTPField(known: "Date", date)]
      #expect(response.pause == seconds)
    }
  }

  @Test(
    "says that nginx refused the client certificate only if it is nginx's page or status",
    arguments: [
      (400, "text/html", "<h1>400</h1>No required SSL certificate was sent", "requires a"),
      (400, "text/html; charset=utf-8", "The SSL certificate error", "refused the"),
      (496, nil, "", "requires a"), (495, nil, "", "refused the"),
      (400, "text/plain", "No required SSL certificate was sent", nil),
      (400, nil, "No required SSL certificate was sent", nil),
      (400, "application/json", "The SSL certificate error", nil),
      (403, "text/html", "The SSL certificate error", nil),
      (200, "text/html", "No required SSL certificate was sent", nil), (400, "text/html", "", nil),
      (494, nil, "", nil), (497, nil, "", nil),
    ] as [(Int, String?, String, String?)])
  func certificates(status: Int, type: String?, body: String, text: String?) throws {
    let refusal = try Self.response(status, type: type, body).certificateRefusal
    #expect(refusal == text.map { "the server \($0) client certificate" })
  }

  @Test(
    "to a request that may be repeated: GET, HEAD, PUT, DELETE and OPTIONS only",
    arguments: [
      ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("OPTIONS", true),
      ("POST", false), ("PATCH", false), ("get", false), ("TRACE", false), ("X", false),
    ])
  func idempotent(method: String, isIdempotent: Bool) throws {
    #expect(try #require(HTTPMethod(method)).isIdempotent == isIdempotent)
  }

  @Test(
    "to a method in any letter case: only ASCII letters change",
    arguments: [
      ("get", "GET"), ("PaTcH", "PATCH"), ("m-search", "M-SEARCH"), ("", nil), ("g et", nil),
      ("po\u{17F}t", nil), ("g\u{131}t", nil), ("get\r\n", nil), ("get\0", nil),
      ("ge\u{301}t", nil),
      ("get:", nil), ("get/", nil), ("(get)", nil), ("\"get\"", nil),
      ("x`!#$%&'*+^_|~-.1", "X`!#$%&'*+^_|~-.1"),
    ] as [(String, String?)])
  func methods(name: String, method: String?) {
    #expect(HTTPMethod(inAnyCase: name)?.name == method)
  }
}
