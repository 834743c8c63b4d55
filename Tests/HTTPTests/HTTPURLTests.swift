import TestSupport

@Suite("A URL")
struct HTTPURLTests {
  @Test(
    "is read with its host and its port",
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

  @Test(
    "has one spelling of its host",
    arguments: [
      ("https://[0:0:0:0:0:0:0:1]/", "https://[::1]/"),
      ("https://[2001:DB8::0:1]/", "https://[2001:db8::1]/"),
      ("https://[::FFFF:1.2.3.4]:8443", "https://[::ffff:1.2.3.4]:8443/"),
      ("https://[1:2:3:4:5:6:7::]/", "https://[1:2:3:4:5:6:7:0]/"),
      ("https://[::]/", "https://[::]/"),
      ("https://EXAMPLE.Com./", "https://example.com./"),
      ("https://XN--BCHER-KVA.example", "https://xn--bcher-kva.example/"),
      ("https://B\u{DC}CHER.example:444/%C3%BC", "https://xn--bcher-kva.example:444/%C3%BC"),
      ("https://bu\u{308}cher\u{3002}example./\u{FC}", "https://xn--bcher-kva.example./%C3%BC"),
      ("https://e\u{301}.example/", "https://xn--9ca.example/"),
      ("https://\u{130}.example/", "https://xn--i-9bb.example/"),
      ("https://1.2.3.4", "https://1.2.3.4/"), ("https://a-b.c_d", "https://a-b.c_d/"),
      ("https://1.a", "https://1.a/"), ("https://0.a:", "https://0.a/"),
    ])
  func hosts(text: String, spelled: String) throws {
    #expect(try HTTPURL(text).description == spelled)
    #expect(try HTTPURL(spelled).description == spelled)
  }

  @Test(
    "encodes what paths and queries must not have, and no more",
    arguments: [
      ("/a%2Fb", "/a%2Fb"), ("/%41%7e", "/%41%7e"),
      ("/a;b=1,c!$&'()*+:@-._~", "/a;b=1,c!$&'()*+:@-._~"),
      ("/a\"<>\\^`{|}", "/a%22%3C%3E%5C%5E%60%7B%7C%7D"), ("/é€😀", "/%C3%A9%E2%82%AC%F0%9F%98%80"),
      ("/?a=b?c/d", "/?a=b?c/d"), ("/?q=\"a b\"", "/?q=%22a%20b%22"), ("/?", "/?"),
      ("/a?b#c?d", "/a?b"),
      ("//a", "//a"), ("/%2e%2e/x", "/x"), ("/a/%2E%2E/b", "/b"), ("/a/.%2e/b", "/b"),
      ("/%2e", "/"),
      ("/a/..%2Fb", "/a/..%2Fb"), ("/...", "/..."), ("/a/.../b", "/a/.../b"),
      // A percent sign that encodes nothing.
      ("/%", "/%25"), ("/%4", "/%254"), ("/%g0", "/%25g0"), ("/%0g", "/%250g"), ("/a%", "/a%25"),
      ("/?a=%", "/?a=%25"), ("/?%zz", "/?%25zz"), ("/%\u{FF11}0", "/%25%EF%BC%910"),
      ("/%+1", "/%25+1"), ("/% 1", "/%25%201"), ("/%4\u{301}1", "/%254%CC%811"),
    ])
  func targets(path: String, target: String) throws {
    #expect(try HTTPURL("https://h" + path).target == target)
  }

  @Test(
    "has no control character",
    arguments: ["/\u{1}", "/a\tb", "/a\nb", "/\u{7F}", "/?a\rb", "/\0"])
  func broken(path: String) throws {
    #expect(throws: HTTPURLError.self) { try HTTPURL("https://h" + path) }
    #expect(throws: HTTPURLError.self) { try HTTPURL("https://h/").appending(path) }
  }

  /// RFC 3986, section 5.4; what no request carries (another scheme, a fragment) is refused or
  /// dropped.
  @Test(
    "of a reference is found as RFC 3986 shows",
    arguments: [
      ("g:h", nil), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
      ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
      ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
      (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
      ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
      ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
      ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"), ("http:g", nil),
    ] as [(String, String?)])
  func resolution(reference: String, expected: String?) throws {
    let base = try HTTPURL("http://a/b/c/d;p?q")
    #expect((try? base.resolving(reference))?.description == expected)
  }

  @Test(
    "without a scheme is refused with the URL that may be meant",
    arguments: [
      ("example.com", "https://example.com/"), ("id.test:8443/api", "https://id.test:8443/api"),
      ("https", "https://https/"), ("/path", "https://HOST/PATH"), ("", "https://HOST/PATH"),
      ("1https://h/", "https://HOST/PATH"), ("https//h/", "https://HOST/PATH"),
    ])
  func schemeless(text: String, meant: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
    #expect(error?.description == "it has no scheme; write \(meant)")
  }

  @Test(
    "with a path appended stays below its base",
    arguments: [
      ("https://h", "/me", "https://h/me"), ("https://h/", "me", "https://h/me"),
      ("https://h/api", "/me?x=1", "https://h/api/me?x=1"),
      ("https://h/api/", "/me", "https://h/api/me"),
      ("https://h/api?k=v", "me?x", "https://h/api/me?k=v&x"),
      ("https://h/api", "", "https://h/api/"), ("https://h/api", "..", "https://h/api/"),
      ("https://h/api", "../x", "https://h/api/x"),
      ("https://h/api", "/../../x", "https://h/api/x"),
      ("https://h/api", "%2e%2e/x", "https://h/api/x"),
      ("https://h/api", "a/../../x", "https://h/api/x"),
      ("https://h/api", ".%2E/.%2e/x?y", "https://h/api/x?y"),
      ("https://h/api", "//evil.test/x", "https://h/api//evil.test/x"),
      ("https://h/api", "\\\\evil.test", "https://h/api/%5C%5Cevil.test"),
      ("https://h/api", "https://evil.test", "https://h/api/https://evil.test"),
      ("https://h/api", "@evil.test", "https://h/api/@evil.test"),
      ("https://h/api", ":1@evil.test", "https://h/api/:1@evil.test"),
      ("https://h/api", "/\u{301}x", "https://h/api/%CC%81x"),
    ])
  func appends(base: String, path: String, expected: String) throws {
    #expect(try HTTPURL(base).appending(path).description == expected)
  }

  @Test(
    "takes no path in which a server may find a parent segment",
    arguments: [
      "/..%2fx", "/a/..%2Fx", "/a%2f..%2fx", "/a%2f..", "..%5cx", "..\\x", "/..;/x",
      "/%2e%2e;a=1/x", "/..%252fx", "/%252e%252e/x", "/..%3b/x",
    ])
  func appendsNoHiddenParentSegment(path: String) throws {
    #expect(throws: HTTPURLError.self) { try HTTPURL("https://h/api").appending(path) }
    #expect(try HTTPURL("https://h").appending(path).path != "/")
  }

  @Test(
    "takes a path whose dots are no parent segment",
    arguments: [
      "/..x", "/x..", "/...", "/a%2fb", "/a;..", "/a%2f..b", "/100%25", "/..%zz", "/a?..%2f",
    ])
  func appendsPathsThatAreNot(path: String) throws {
    #expect(try HTTPURL("https://h/api").appending(path).path.hasPrefix("/api/"))
  }

  @Test("shares its origin with URLs of the same scheme, host and port")
  func comparesOrigins() throws {
    let url = try HTTPURL("https://h/a")
    #expect(url.sharesOrigin(with: try HTTPURL("https://H:443/b")))
    #expect(!url.sharesOrigin(with: try HTTPURL("http://h/a")))
    #expect(!url.sharesOrigin(with: try HTTPURL("https://h:8443/a")))
    #expect(!url.sharesOrigin(with: try HTTPURL("https://x.h/a")))
  }

  @Test(
    "is this machine's by address and name only",
    arguments: [
      ("http://localhost:8080", true), ("http://LOCALHOST", true), ("http://127.1.2.3", true),
      ("http://[::1]", true), ("http://[0:0::1]", true), ("http://localhost.", false),
      ("http://[::2]", false), ("http://[::ffff:127.0.0.1]", false),
      ("http://127.0.0.1.evil.test", false),
      ("http://0.0.0.0", false), ("http://a.localhost", false), ("http://128.0.0.1", false),
    ])
  func loopback(url: String, isLoopback: Bool) throws {
    #expect(try HTTPURL(url).isLoopback == isLoopback)
  }
}
