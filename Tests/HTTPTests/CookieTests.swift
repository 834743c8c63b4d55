import TestSupport

@testable import HTTP

@Suite("A cookie")
struct CookieTests {
  private static let now: Timestamp = 1_800_000_000

  private static func cookie(
    _ field: String, from url: String = "https://www.shop.test/a/b?c"
  ) throws -> Cookie? {
    Cookie(
      setCookie: field, from: try HTTPURL(url), at: now,
      isPublicSuffix: { ["test", "co.test"].contains($0) })
  }

  @Test(
    "is made of parts that a server could have set",
    arguments: [
      ("", "", "/"), ("a", "b", "in"), ("a", "b", ""), ("a=", "b", "/"), ("a", "b;", "/"),
    ])
  func parts(name: String, value: String, path: String) {
    #expect(
      Cookie(name: name, value: value, domain: "shop.test", isHostOnly: true, path: path) == nil)
  }

  @Test("is not Secure from a server without TLS")
  func secure() throws {
    #expect(try Self.cookie("a=b; Secure", from: "http://127.0.0.1/") == nil)
  }

  @Test("for a public suffix goes to that host only, and to no address but its own")
  func publicSuffix() throws {
    let suffix = try #require(try Self.cookie("a=b; Domain=co.test", from: "https://co.test/"))
    #expect(suffix.isHostOnly)
    #expect(
      try Self.cookie("a=b; Domain=127.0.0.1", from: "https://127.0.0.1/")?.isHostOnly == true)
    #expect(try Self.cookie("a=b; Domain=0.0.1", from: "https://127.0.0.1/") == nil)
  }

  @Test(
    "matches a URL by host, path and scheme",
    arguments: [
      ("a=b", "https://www.shop.test/a", true), ("a=b", "https://www.shop.test/a/c", true),
      ("a=b", "https://www.shop.test/ab", false), ("a=b", "https://www.shop.test/", false),
      ("a=b; Path=/", "https://www.shop.test:8443/x", true),
      ("a=b; Path=/", "https://in.www.shop.test/", false),
      ("a=b; Path=/", "https://shop.test/", false),
      ("a=b; Path=/; Domain=shop.test", "https://api.shop.test/", true),
      ("a=b; Path=/; Domain=shop.test", "https://shop.test/", true),
      ("a=b; Path=/; Domain=shop.test", "https://myshop.test/", false),
      ("a=b; Path=/x/", "https://www.shop.test/x/y", true),
      ("a=b; Path=/x/", "https://www.shop.test/x", false),
      ("a=b; Path=/", "http://www.shop.test/", true),
      ("a=b; Path=/; Secure", "http://www.shop.test/", false),
    ])
  func matches(field: String, url: String, isMatch: Bool) throws {
    #expect(try Self.cookie(field)?.matches(try HTTPURL(url)) == isMatch)
  }

  @Test("is sent before those with a shorter path, and not after its end")
  func header() throws {
    let cookies = try ["a=1; Path=/", "b=2; Path=/x; Max-Age=10", "c=3; Path=/"].map {
      try #require(try Self.cookie($0))
    }
    let url = try HTTPURL("https://www.shop.test/x")
    #expect(cookies.header(for: url, at: Self.now) == "b=2; a=1; c=3")
    #expect(cookies.header(for: url, at: Self.now + 10) == "a=1; c=3")
    #expect(cookies.header(for: try HTTPURL("https://other.test/"), at: Self.now) == nil)
  }

  @Test("has the seven columns of a cookie jar of curl")
  func netscape() throws {
    let cookies = try [
      "a=1; Path=/; Secure; HttpOnly; Domain=shop.test; Max-Age=60", "b=2",
    ].map { try #require(try Self.cookie($0)) }
    #expect(
      cookies.netscapeFile == [
        "# Netscape HTTP Cookie File",
        "#HttpOnly_.shop.test\tTRUE\t/\tTRUE\t1800000060\ta\t1",
        "www.shop.test\tFALSE\t/a\tFALSE\t0\tb\t2",
      ])
  }

  @Test("does not show its value")
  func description() throws {
    let cookie = try #require(try Self.cookie("session=secret-value"))
    var dumped = ""
    dump(cookie, to: &dumped)
    #expect(!"\(dumped) \(cookie) \(String(reflecting: cookie))".contains("secret-value"))
  }
}
