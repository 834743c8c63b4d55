import TestSupport

@Suite struct HTTPURLTests {
  @Test(
    arguments: [
      ("https://Example.COM", "https://example.com/", "example.com", 443),
      ("https://example.com:443/a?b=c#d", "https://example.com/a?b=c", "example.com", 443),
      ("HTTPS://example.com:8443", "https://example.com:8443/", "example.com", 8443),
      ("https://h/a b/é?q=ü x", "https://h/a%20b/%C3%A9?q=%C3%BC%20x", "h", 443),
      ("https://h//double//", "https://h//double//", "h", 443),
      ("https://h/a/../b/./c/%2e%2e/d", "https://h/b/d", "h", 443),
      ("https://h/../../x", "https://h/x", "h", 443),
      ("http://127.0.0.1:80/", "http://127.0.0.1/", "127.0.0.1", 80),
      ("https://[::1]:99/x", "https://[::1]:99/x", "::1", 99),
      ("https://h?x=1", "https://h/?x=1", "h", 443),
      ("https://h/a?\u{301}/../b#\u{301}c", "https://h/a?%CC%81/../b", "h", 443),
      ("https://a_b.c.", "https://a_b.c./", "a_b.c.", 443),
    ] as [(String, String, String, UInt16)])
  func reads(text: String, spelled: String, host: String, port: UInt16) throws {
    let url = try HTTPURL(text)
    #expect(url.description == spelled)
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(try HTTPURL(spelled) == url)
  }

  @Test(arguments: [
    ("", "it has no scheme; write https://HOST/PATH"),
    ("example.com", "it has no scheme; write https://example.com/"),
    ("id.test:8443/api", "it has no scheme; write https://id.test:8443/api"),
    ("id.test:8443/api?code=1", "its scheme is not https"),
    ("mailto:a@b.test", "its scheme is not https"),
    ("/path", "it has no scheme; write https://HOST/PATH"),
    (
      "https://\u{FF45}xample.com/",
      "its host is not a DNS name or an IP address: it looks like example.com, but is not"
    ),
    ("https://", "its host is not a DNS name or an IP address"),
  ]) func refuses(text: String, reason: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
    #expect(error?.description == reason)
  }

  @Test(arguments: [
    ("https://h", "/me", "https://h/me"), ("https://h/", "me", "https://h/me"),
    ("https://h/api", "/me?x=1", "https://h/api/me?x=1"),
    ("https://h/api/", "/me", "https://h/api/me"),
    ("https://h/api?k=v", "me?x", "https://h/api/me?k=v&x"),
  ]) func appends(base: String, path: String, expected: String) throws {
    #expect(try HTTPURL(base).appending(path).description == expected)
  }

  @Test(arguments: [
    "/..%2fx", "/a/..%2Fx", "/a%2f..%2fx", "/a%2f..", "..%5cx", "..\\x", "/..;/x", "/%2e%2e;a=1/x",
    "/..%252fx",
    "/%252e%252e/x", "/..%3b/x",
  ]) func appendsNoHiddenParentSegment(path: String) throws {
    #expect(throws: HTTPURLError.self) { try HTTPURL("https://h/api").appending(path) }
    #expect(try HTTPURL("https://h").appending(path).path != "/")
  }

  @Test(arguments: [
    "/..x", "/x..", "/...", "/a%2fb", "/a;..", "/a%2f..b", "/100%25", "/..%zz", "/a?..%2f",
  ])
  func appendsPathsThatAreNot(path: String) throws {
    #expect(try HTTPURL("https://h/api").appending(path).path.hasPrefix("/api/"))
  }

  @Test func comparesOrigins() throws {
    let url = try HTTPURL("https://h/a")
    #expect(url.sharesOrigin(with: try HTTPURL("https://H:443/b")))
    #expect(!url.sharesOrigin(with: try HTTPURL("http://h/a")))
    #expect(!url.sharesOrigin(with: try HTTPURL("https://h:8443/a")))
    #expect(!url.sharesOrigin(with: try HTTPURL("https://x.h/a")))
  }
}
