import CoreTestSupport
import HTTPServer

@testable import LocalProxy

@Suite struct ProxyRulesTests {
  private let rules = ProxyRules(
    hosts: ["127.0.0.1:80", "localhost:80"], secret: "s3", allowedOrigins: ["https://app.test"])

  private func verdict(
    _ method: String, _ target: String, _ fields: [(String, String)] = [],
    host: String? = "127.0.0.1:80",
    version: String = "HTTP/1.1", isPlain: Bool = true
  ) throws -> ProxyRules.Verdict {
    var all = HTTPFields()
    if let host { all.append(try HTTPField("Host", host)) }
    for (name, value) in fields { all.append(try HTTPField(name, value)) }
    return rules.verdict(
      on: ReceivedRequest(method, target, version: version, fields: all, isPlain: isPlain))
  }

  private func status(_ verdict: ProxyRules.Verdict) -> Int {
    if case .refuse(let status, _) = verdict { status } else { 0 }
  }

  @Test(arguments: [
    ("/s3/me?a=1", "/me?a=1"), ("/s3", "/"), ("/s3?a", "/?a"), ("/s3//x", "//x"),
    ("http://localhost:80/s3/me", "/me"), ("HTTP://127.0.0.1:80/s3/me", "/me"),
  ])
  func thePathBehindTheSecretIsPassedOn(target: String, path: String) throws {
    #expect(try verdict("GET", target) == .pass(path))
    #expect(try verdict("GET", target, version: "HTTP/1.0") == .pass(path))
  }

  @Test(arguments: [
    "/", "/me", "/s/me", "/s33/me", "/S3/me", "*", "", "xs3/me", "//s3/me", "/s3/a b", "/s3/a#b",
    "/s3/é",
    "/%733/me",
  ])
  func otherTargetsAreNotFound(target: String) throws {
    #expect(status(try verdict("GET", target)) == 404)
  }

  @Test(arguments: [
    nil, "127.0.0.1", "127.0.0.1:81", "evil.test", "evil.test:80", "127.0.0.1:80.evil.test",
    "localhost",
  ])
  func otherHostsAreRefused(host: String?) throws {
    #expect(status(try verdict("GET", "/s3/me", host: host)) == 421)
  }

  @Test(arguments: [
    "http://evil.test/s3/me", "http://user@127.0.0.1:80/s3/me", "http://localhost:81/s3/",
  ])
  func anAbsoluteFormOfAnotherHostIsRefused(target: String) throws {
    #expect(status(try verdict("GET", target)) == 421)
  }

  @Test func twoHostsAreRefused() throws {
    #expect(status(try verdict("GET", "/s3/me", [("Host", "127.0.0.1:80")])) == 421)
  }

  @Test(arguments: [
    [("Content-Length", "1"), ("Content-Length", "1")],
    [("Content-Length", "1"), ("Transfer-Encoding", "chunked")],
    [("Transfer-Encoding", "chunked"), ("transfer-encoding", "chunked")],
    [("Transfer-Encoding", "gzip, chunked")], [("Transfer-Encoding", "identity")],
    [("Content-Length", "+1")], [("Content-Length", "1, 1")], [("Content-Length", "-1")],
    [("Content-Length", "0x1")], [("Content-Length", "99999999999999999999")],
  ])
  func aBodyOfUnclearLengthIsRefused(fields: [(String, String)]) throws {
    #expect(status(try verdict("POST", "/s3/me", fields)) == 400)
  }

  @Test func oneLengthIsEnough() throws {
    #expect(try verdict("POST", "/s3/me", [("Content-Length", "10")]) == .pass("/me"))
    #expect(try verdict("POST", "/s3/me", [("Transfer-Encoding", "Chunked")]) == .pass("/me"))
    let old = try verdict("POST", "/s3/", [("Transfer-Encoding", "chunked")], version: "HTTP/1.0")
    #expect(status(old) == 400)
  }

  @Test func otherRefusalsHaveTheirStatus() throws {
    #expect(status(try verdict("GET", "/s3/me", isPlain: false)) == 400)
    #expect(status(try verdict("GET", "/s3/me", version: "HTTP/2.0")) == 505)
    #expect(status(try verdict("CONNECT", "api.test:443")) == 405)
    #expect(status(try verdict("TRACE", "/s3/me")) == 405)
    #expect(status(try verdict("OPTIONS", "/s3/me")) == 405)
    #expect(status(try verdict("get", "/s3/me")) == 405)
    #expect(status(try verdict("GET", "/s3/me", [("Upgrade", "websocket")])) == 501)
    #expect(status(try verdict("GET", "/s3/me", [("Upgrade", "h2c, websocket")])) == 501)
    #expect(try verdict("GET", "/s3/me", [("Upgrade", "h2c")]) == .pass("/me"))
    let many = (1...100).map { ("X-\($0)", "1") }
    #expect(status(try verdict("GET", "/s3/me", many)) == 431)
    #expect(try verdict("GET", "/s3/me", Array(many.dropLast())) == .pass("/me"))
  }

  @Test(arguments: [
    ("http://evil.test", 403), ("null", 403), ("https://app.test:444", 403),
    ("http://app.test", 403),
    ("https://app.test", 0), ("https://APP.test", 0), ("http://localhost:80", 0),
    ("http://localhost:81", 403),
  ])
  func pagesOfOtherOriginsAreRefused(origin: String, expected: Int) throws {
    #expect(status(try verdict("GET", "/s3/me", [("Origin", origin)])) == expected)
  }

  @Test func aSecondOriginIsRefused() throws {
    let fields = [("Origin", "https://app.test"), ("Origin", "https://app.test")]
    #expect(status(try verdict("GET", "/s3/me", fields)) == 403)
  }

  @Test(arguments: [("none", 0), ("same-origin", 0), ("same-site", 403), ("cross-site", 403)])
  func aBrowserWithoutOriginSaysWhereARequestComesFrom(site: String, expected: Int) throws {
    #expect(status(try verdict("GET", "/s3/me", [("Sec-Fetch-Site", site)])) == expected)
  }

  @Test func anAllowedPageMayAskFirst() throws {
    let asks = [("Access-Control-Request-Method", "PUT")]
    #expect(
      try verdict("OPTIONS", "/s3/me", asks + [("Origin", "https://app.test")])
        == .preflight(from: HTTPField("Origin", "https://app.test")))
    #expect(status(try verdict("OPTIONS", "/s3/me", asks)) == 405)
    #expect(status(try verdict("OPTIONS", "/me", asks + [("Origin", "https://app.test")])) == 404)
  }

  @Test func aSocketNeedsNoSecret() throws {
    let rules = ProxyRules(hosts: ["localhost"], secret: nil, allowedOrigins: [])
    let request = ReceivedRequest("GET", "/me", fields: [HTTPField(known: "Host", "localhost")])
    #expect(rules.verdict(on: request) == .pass("/me"))
  }
}

@Suite struct ProxyFieldsTests {
  private func fields(_ names: [String]) throws -> HTTPFields {
    var fields = HTTPFields()
    for name in names { fields.append(try HTTPField(name, "1")) }
    return fields
  }

  private func names(_ fields: HTTPFields) -> [String] { fields.map(\.name) }

  @Test func aRequestKeepsOnlyWhatIsForTheServer() throws {
    var given = try fields([
      "Accept", "AUTHORIZATION", "Cookie", "DPoP", "Expect", "Host", "Keep-Alive", "Origin",
      "Proxy-Authorization", "Referer", "Sec-Fetch-Mode", "TE", "Trailer", "Transfer-Encoding",
      "Upgrade",
      "Content-Length", "Access-Control-Request-Method", "X-Own", "X-Drop", "User-Agent",
    ])
    given.append(try HTTPField("Connection", "close , x-drop"))
    #expect(names(ProxyFields.passedOn(ofRequest: given)) == ["Accept", "X-Own"])
  }

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

  @Test(
    arguments: [
      ("text/html; charset=utf-8", nil, "attachment"), ("Application/XHTML+XML", nil, "attachment"),
      ("image/svg+xml", "inline; filename=a.svg", "attachment"),
      ("text/html", "Attachment; filename=a", "Attachment; filename=a"),
      ("multipart/x-mixed-replace; boundary=a", nil, "attachment"),
      ("application/json", nil, nil), ("image/png", "inline", "inline"), ("text/plain", nil, nil),
    ] as [(String, String?, String?)])
  func aBrowserShowsNoPageWithLinks(type: String, given: String?, expected: String?) throws {
    var fields = HTTPFields([try HTTPField("Content-Type", type)])
    if let given { fields.append(try HTTPField("Content-Disposition", given)) }
    let passed = ProxyFields.passedOn(ofResponse: fields, to: nil)
    #expect(passed.values(of: "Content-Disposition") == [expected].compactMap { $0 })
  }

  /// What a browser is told about each response.
  private let added = ["Referrer-Policy", "X-Content-Type-Options", "Content-Security-Policy"]

  @Test(arguments: [
    "Referrer-Policy", "NEL", "Report-To", "reporting-endpoints", "Service-Worker-Allowed",
    "Public-Key-Pins",
    "Public-Key-Pins-Report-Only", "Content-Security-Policy-Report-Only", "Expect-CT",
    "X-Content-Type-Options",
  ])
  func aBrowserGetsNoOrdersForTheOriginOfTheProxy(name: String) throws {
    let passed = ProxyFields.passedOn(ofResponse: try fields([name]), to: nil)
    #expect(names(passed) == added)
    #expect(passed.map(\.value) == ["no-referrer", "nosniff", Self.policy])
  }

  @Test(arguments: [
    ("default-src 'self'", "default-src 'self'"),
    ("default-src 'self'; report-uri https://a.test/r; img-src *", "default-src 'self'; img-src *"),
    ("Report-URI https://a.test", ""),
    ("report-to a, script-src 'none';\treport-to b", ", script-src 'none'"),
  ])
  func thePolicyOfTheServerStaysWithoutReports(value: String, expected: String) throws {
    let given = HTTPFields([try HTTPField("content-security-policy", value)])
    let passed = ProxyFields.passedOn(ofResponse: given, to: nil)
    #expect(passed.values(of: "Content-Security-Policy") == [expected, Self.policy])
  }

  @Test func aResponseKeepsOnlyWhatIsForTheClient() throws {
    let given = try fields([
      "Content-Type", "Set-Cookie", "Strict-Transport-Security", "Alt-Svc", "Clear-Site-Data",
      "Transfer-Encoding", "Content-Length", "Access-Control-Allow-Origin", "ETag",
      "WWW-Authenticate",
    ])
    let kept = ["Content-Type", "ETag", "WWW-Authenticate"] + added
    #expect(names(ProxyFields.passedOn(ofResponse: given, to: nil)) == kept)
    let origin = HTTPField(known: "Origin", "https://app.test")
    let allowed = ProxyFields.passedOn(ofResponse: given, to: origin)
    #expect(allowed.values(of: "Access-Control-Allow-Origin") == ["https://app.test"])
    #expect(allowed["Vary"] == "Origin")
  }
}
