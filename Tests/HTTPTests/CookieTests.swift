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

  @Test("has what the server sets, and the defaults of the URL")
  func attributes() throws {
    let plain = try #require(try Self.cookie("a=b"))
    #expect(
      (plain.name, plain.value, plain.domain, plain.path) == ("a", "b", "www.shop.test", "/a"))
    #expect(plain.isHostOnly)
    #expect((plain.isSecure, plain.isHTTPOnly) == (false, false))
    #expect(plain.expires == nil)
    let full = try #require(
      try Self.cookie(
        " s = x=y ; DOMAIN=.Shop.Test; path=/in; secure; HttpOnly; Max-Age=60; SameSite=Lax;"))
    #expect((full.name, full.value, full.domain, full.path) == ("s", "x=y", "shop.test", "/in"))
    #expect((full.isHostOnly, full.isSecure, full.isHTTPOnly) == (false, true, true))
    #expect(full.expires == Self.now + 60)
  }

  @Test(
    "is ignored if the server must not set it",
    arguments: [
      "a", "=b", "a=b; Domain=other.test", "a=b; Domain=test", "a=b; Domain=co.test",
      "a=b; Domain=shop.test.evil", "a=b; Domain=in.www.shop.test", "__Host-a=b; Secure",
      "__Host-a=b; Secure; Path=/; Domain=shop.test", "__Secure-a=b", "__SECURE-a=b; Path=/",
      "a=" + String(repeating: "x", count: 6000), "a=b\u{1}",
    ])
  func ignored(field: String) throws {
    #expect(try Self.cookie(field) == nil)
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

  @Test("obeys the rules of its name's prefix")
  func prefixes() throws {
    #expect(try Self.cookie("__Host-a=b; Secure; Path=/") != nil)
    #expect(try Self.cookie("__Secure-a=b; Secure; Domain=shop.test") != nil)
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

  @Test(
    "reads the dates that servers write",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
      ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
      ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
      ("Thu, 01-Jan-1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
      ("1 jan 30 1:2:3", "2030-01-01T01:02:03Z"), ("Tue, 31 Dec 2030 24:00:00 GMT", nil),
      ("Fri, 31 Feb 2030 00:00:00 GMT", nil), ("", nil), ("tomorrow", nil),
      ("1 jan 1600 00:00:00", nil),
      // As in the tests of http-state: the first time counts, also if there is no such time.
      ("Sat, 15-Apr-17 91:22:33 21:01:22", nil),
      ("Sat, 15-Apr-17 21:01:22 91:22:33", "2017-04-15T21:01:22Z"),
      ("Sat, 15-Apr-17 ::00 21:01:22", "2017-04-15T21:01:22Z"), ("98 April 17 21:01:22", nil),
      ("15-Sat, Apr 21:01:22 GMT 2017", "2017-04-15T21:01:22Z"),
      ("\"Sat, 15-Apr-17\\\"21:01:22\\\"GMT\"", "2017-04-15T21:01:22Z"),
    ])
  func dates(text: String, expected: String?) {
    #expect(HTTPDate.read(text)?.description == expected)
  }

  @Test(
    "ends as Max-Age says, else as Expires says",
    arguments: [
      ("a=b; Max-Age=0", true), ("a=b; Max-Age=-1", true),
      ("a=b; Max-Age=99999999999999999999", false),
      ("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", true),
      ("a=b; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT", false),
      ("a=b; Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", true),
    ])
  func ends(field: String, isOver: Bool) throws {
    #expect(try Self.cookie(field)?.isExpired(at: Self.now) == isOver)
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
