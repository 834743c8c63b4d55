import TestSupport

@testable import Trace

@Suite("A trace of requests and responses")
struct TraceLogTests {
  private static let secrets = [
    "cookie-sent", "token-sent", "query-sent", "body-sent", "cookie-got", "token-got", "html-got",
  ]

  /// What the trace tells of an exchange in which everything is quoted, in both directions.
  private static func lines(_ url: String, reason: String) throws -> [String] {
    let written = Mutex<[String]>([])
    let log = TraceLog(
      { lines in written.withLock { $0 += lines } },
      pageReaders: [{ _, secrets in secrets.learn("html-got", of: "password") }],
      now: { 1_800_000_000 })
    var request = HTTPRequest(.post, try HTTPURL(url))
    request.fields = HTTPFields([
      try HTTPField("X-First", secrets.joined(separator: " ")),
      try HTTPField("Cookie", "sid=cookie-sent"),
      try HTTPField("Authorization", "Bearer token-sent"),
      try HTTPField("Content-Type", "application/x-www-form-urlencoded"),
    ])
    let fields = HTTPFields([
      try HTTPField("X-First", secrets.joined(separator: " ")),
      try HTTPField("Set-Cookie", "sid=cookie-got; Path=/"),
      try HTTPField("X-Auth-Token", "token-got"), try HTTPField("Content-Type", "text/html"),
    ])
    var response = HTTPResponse(status: 200, fields: fields, url: request.url)
    response.reason = reason
    let page = "<p>\(secrets)</p>html-got"
    log.tell(
      log.begin(), request, TracedBody(Array("quoted=\(secrets[4])&password=body-sent".utf8)),
      response, TracedBody(Array(page.utf8)), nil)
    return written.withLock { $0 }
  }

  @Test(
    "has no secret of both in any line, also before the line that tells it")
  func echo() throws {
    let quoted = secretsInPath
    let lines = try Self.lines(
      "https://api.test/\(quoted)?xtoken=query-sent", reason: Self.secrets.joined(separator: " "))
    let text = lines.joined(separator: "\n")
    for secret in Self.secrets { #expect(!text.contains(secret), "\(secret): \(text)") }
    let marks = Array(repeating: TraceSecrets.mark, count: Self.secrets.count)
    #expect(
      lines.first?.contains(" POST https://api.test/\(marks.joined(separator: "/"))?") == true)
    #expect(lines.contains { $0.hasPrefix("< HTTP/1.1 200 \(marks.joined(separator: " "))") })
    #expect(lines.count { $0.contains("X-First: \(marks.joined(separator: " "))") } == 2)
  }

  private var secretsInPath: String { Self.secrets.joined(separator: "/") }

  @Test("has no secret in the name of a field or in a media type, as lines and as an archive")
  func names() throws {
    let secret = "token-sent"
    let written = Mutex<[String]>([])
    let entries = Mutex<[String]>([])
    let log = TraceLog(
      { lines in written.withLock { $0 += lines } },
      entries: { entry in entries.withLock { $0.append(entry.serialized()) } },
      now: { 1_800_000_000 })
    var request = HTTPRequest(.get, try HTTPURL("https://api.test/"))
    request.fields = HTTPFields([try HTTPField("Authorization", "Bearer \(secret)")])
    let fields = HTTPFields([
      try HTTPField("X-\(secret)", "1"),
      try HTTPField("Set-Cookie", "\(secret)=a; Path=/\(secret)"),
      try HTTPField("Content-Type", "image/\(secret)"),
    ])
    let response = HTTPResponse(status: 200, fields: fields, url: request.url)
    log.tell(log.begin(), request, TracedBody(), response, TracedBody([1, 2]), nil)
    let texts = [written.withLock { $0.joined(separator: "\n") }, entries.withLock { $0.joined() }]
    for text in texts {
      #expect(!text.contains(secret), "\(text)")
      #expect(
        text.contains("X-\(TraceSecrets.mark)") && text.contains("image/\(TraceSecrets.mark)"))
    }
  }

  @Test("of two secrets that begin alike redacts the longer one as a whole")
  func longest() {
    let secrets = TraceSecrets()
    for secret in ["abcdef", "abcdef-ghijkl", "abcdef-gh"] { secrets.learn(secret) }
    #expect(
      secrets.redacted("abcdef-ghijkl abcdef-gh abcdef")
        == [String](repeating: TraceSecrets.mark, count: 3).joined(separator: " "))
  }
}
