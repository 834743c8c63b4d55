import CoreTestSupport

@testable import SDKCore

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
      now: { World.now })
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
      entries: { entry in entries.withLock { $0.append(entry.serialized()) } }, now: { World.now })
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

  @Test("also has none in the short lines, which are told while the exchange lasts")
  func short() async throws {
    let told = Mutex<[String]>([])
    var options = SessionOptions()
    options.connections.trace = { line in told.withLock { $0.append(line) } }
    let made = TraceLog(options, now: { World.now })
    let log = try #require(made)
    let network = Network(
      makeTransport: { _, options in
        Telling { request in
          options.trace?("> \(request.method) \(request.url)")
          options.trace?("< HTTP/1.1 200 token-sent")
        }
      },
      makeHandshakes: Network.curl.makeHandshakes, version: Network.curl.version)
    let transport = network.transport(
      TransportSettings(nil, PinSets()), options.connections, log)
    var request = HTTPRequest(.get, try HTTPURL("https://api.test/token-sent"))
    request.fields = HTTPFields([try HTTPField("Authorization", "Bearer token-sent")])
    _ = try? await transport.send(request, receiving: .collect(limit: 9))
    let mark = TraceSecrets.mark
    #expect(
      told.withLock { $0 } == ["> GET https://api.test/\(mark)", "< HTTP/1.1 200 \(mark)"])
  }

  /// Tells of each request, and gets no response.
  private final class Telling: Transport {
    private let tell: @Sendable (HTTPRequest) -> Void
    init(_ tell: @escaping @Sendable (HTTPRequest) -> Void) { self.tell = tell }
    func refusal(of url: HTTPURL) -> TransportError? { nil }
    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      tell(request)
      return HTTPResponse(status: 204, fields: [], url: request.url)
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
