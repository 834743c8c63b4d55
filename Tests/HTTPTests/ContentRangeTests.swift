import TestSupport

@Suite("Content-Range (RFC 9110 section 14.4)")
struct ContentRangeTests {
  @Test(
    "has the first and the last byte, and the length if it is known",
    arguments: [
      ("bytes 0-0/1", 0...0, 1), ("bytes 42-1233/1234", 42...1233, 1234),
      ("bytes 42-1233/*", 42...1233, nil), ("bytes 5-9/100", 5...9, 100),
      ("BYTES 5-9/10", 5...9, 10), ("bytes 005-09/10", 5...9, 10), ("bytes */1234", nil, 1234),
      ("bytes */0", nil, 0),
      ("bytes 0-9223372036854775806/9223372036854775807", 0...9_223_372_036_854_775_806, .max),
    ] as [(String, ClosedRange<Int64>?, Int64?)])
  func read(text: String, bytes: ClosedRange<Int64>?, total: Int64?) throws {
    let range = try #require(ContentRange(text))
    #expect(range.bytes == bytes)
    #expect(range.total == total)
    #expect(range == ContentRange(bytes: bytes, total: total))
  }

  @Test(
    "is refused if it is malformed, ends before it starts, or after the resource",
    arguments: [
      "", "bytes", "bytes ", "bytes x", "bytes /", "bytes */*", "bytes 5-9", "bytes 5-9/",
      "bytes /10", "bytes -/10", "bytes 5-/10", "bytes -9/10", "bytes 5/10", "bytes 5-9-11/20",
      "bytes 5-9/10/10", "bytes 9-5/10", "bytes 5-10/10", "bytes 5-9/5", "bytes 0-0/0",
      "bytes -5-9/10", "bytes +5-9/10", "bytes 5-+9/10", "bytes 5-9/+10", "bytes 5-9/-10",
      "bytes 5 - 9/10", "bytes 5-9 / 10", "bytes  5-9/10", "bytes=5-9/10", "bytes:5-9/10",
      "bytes 5-9/10 ", "5-9/10", "octets 5-9/10", "byte\u{17F} 5-9/10", "seconds 5-9/10",
      "bytes 0x5-9/10", "bytes 5-9/1e1", "bytes \u{665}-9/10", "bytes 5\u{301}-9/10",
      "bytes 5-9/10\u{301}", "bytes 5-9,20-29/100", "bytes */-1",
      "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775808/*",
      "bytes 0-1/9223372036854775808",
    ])
  func refused(text: String) {
    #expect(ContentRange(text) == nil)
  }

  @Test("of a response is the only one")
  func response() throws {
    func range(_ values: String...) throws -> ContentRange? {
      let fields = try values.map { try HTTPField("content-range", $0) }
      return HTTPResponse(status: 206, fields: HTTPFields(fields), url: try HTTPURL("https://h/"))
        .contentRange
    }
    #expect(try range("bytes 5-9/10") == ContentRange(bytes: 5...9, total: 10))
    #expect(try range() == nil)
    #expect(try range("bytes 5-9/10", "bytes 0-9/10") == nil)
    #expect(try range("bytes 5-9/10", "bytes 5-9/10") == nil)
  }
}
