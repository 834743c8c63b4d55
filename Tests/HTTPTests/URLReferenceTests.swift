import TestSupport

@Suite("References of RFC 3986")
struct URLReferenceTests {
  /// Section 5.4; what no request carries (another scheme, a fragment) is refused or dropped.
  @Test(
    "are resolved as its sections 5.4.1 and 5.4.2 show",
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
    "normalise every host",
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
    "refuse every host that another parser could read as a different host",
    arguments: [
      "https://[:::::::::]/", "https://[::-0]/", "https://[::+1]/", "https://[:]/", "https://[]/",
      "https://[::1::]/", "https://[1:2:3]/", "https://[1:2:3:4:5:6:7:8:9]/", "https://[12345::]/",
      "https://[::1%25eth0]/", "https://[::1%eth0]/", "https://[v1.a]/", "https://[127.0.0.1]/",
      "https://[example.com]/", "https://[::1]80/", "https://[::1].example/", "https://[[::1]]/",
      "https://::1/", "https://::1:443/", "https://1:2:3:4:5:6:7:8/", "https://[::1",
      "https://::1]/",
      // U+212A is lowered to k, and full-width and other letters to ASCII ones by some.
      "https://fa\u{212A}e.example/", "https://\u{212A}/",
      "https://\u{FF45}xample.com/", "https://example\u{3002}com/", "https://example\u{FF0E}com/",
      "https://exam\u{AD}ple.com/", "https://example.com\u{200B}/",
      "https://b\u{FC}cher.\u{FF45}xample/", "https://b\u{FC}cher\u{FF0F}x.example/",
      "https://b\u{FC}cher.example\u{FF1A}80/", "https://[b\u{FC}cher.example]/",
      "https://\u{FF11}\u{FF12}\u{FF17}.0.0.1/", "https://1.2.3.\u{664}/",
      "https://\u{2460}.example/",
      // IPv4 in spellings of other parsers.
      "https://1.2.3/", "https://1/", "https://1.2.3.4.5/", "https://256.1.1.1/",
      "https://1.2.3.04/",
      "https://0x7f.0.0.1/", "https://127.0.0.0x1/", "https://0X7F000001/", "https://1.2.3.4./",
      "https://a.1/", "https://a.0x/", "https://1..2.3/", "https://.1.2.3.4/",
      // Punctuation and escapes.
      "https://a%2eb/", "https://a%00/", "https://%61/", "https://a,b/", "https://a;b/",
      "https://a=b/",
      "https://a!b/", "https://a$b/", "https://a&b/", "https://a'b/", "https://(a)/", "https://a*/",
      "https://a+b/", "https://a|b/", "https://a^b/", "https://a`b/", "https://{a}/",
      "https://<a>/",
      "https://a\"b/", "https://a\tb/", "https://a b/", "https://a\\b/", "https:///x",
      "https://:443/",
      "https://./", "https://../", "https://.a/", "https://a../", "https://a.-b/", "https://a-.b/",
      "https:\\\\a/", "https:/a", "https:a",
      // User information and ports.
      "https://u@h/", "https://u:p@h/", "https://@h/", "https://h:@x/", "https://h:8a/",
      "https://h:-1/", "https://h: 80/", "https://h:80 /", "https://h:0x50/", "https://h:00000000/",
      "https://h:99999/", "https://h:80:81/", "https://h:\u{661}/", "https://h:8\u{301}/",
    ])
  func refused(text: String) {
    #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
  }

  @Test(
    "refuse every other scheme",
    arguments: [
      "ftp://h/", "httpss://h/", "http s://h/", "\u{FF48}ttps://h/", "https\u{301}://h/",
      "1https://h/",
      "-https://h/", "://h/", ":h", "mailto:a@h", "data:,x", "ws://h/", "wss://h/", "ht\ntps://h/",
      "https", "https:", "", " https://h/", "\u{FEFF}https://h/", "urn:x:y", "tel:+1",
      "htt\u{212A}s://h/",
    ])
  func schemes(text: String) {
    #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
  }

  @Test(
    "encode characters that paths and queries must not contain, and no others",
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
    "refuse a control character",
    arguments: ["/\u{1}", "/a\tb", "/a\nb", "/\u{7F}", "/?a\rb", "/\0"])
  func broken(path: String) throws {
    #expect(throws: HTTPURLError.self) { try HTTPURL("https://h" + path) }
    #expect(throws: HTTPURLError.self) { try HTTPURL("https://h/").appending(path) }
  }

  @Test(
    "do not leave the base",
    arguments: [
      ("../x", "https://h/api/x"), ("/../../x", "https://h/api/x"), ("%2e%2e/x", "https://h/api/x"),
      ("a/../../x", "https://h/api/x"), ("..", "https://h/api/"),
      (".%2E/.%2e/x?y", "https://h/api/x?y"),
      ("//evil.test/x", "https://h/api//evil.test/x"), ("", "https://h/api/"),
    ])
  func appended(path: String, expected: String) throws {
    #expect(try HTTPURL("https://h/api").appending(path).description == expected)
  }

  @Test(
    "are this machine's by address and name only",
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

@Suite("Form parameters")
struct FormParameterTests {
  @Test("are found by the bytes of their names")
  func names() throws {
    var form = try #require(FormParameters(encoded: "e%CC%81=1&%C3%A9=2&%E2%84%AA=3"))
    #expect(form["\u{E9}"] == "2")
    #expect(form["e\u{301}"] == "1")
    #expect(form["K"] == nil)
    #expect(form.values(of: "\u{E9}") == ["2"])
    form["K"] = "0"
    form["K"] = "4"
    form["\u{E9}"] = nil
    #expect(form.encoded == "e%CC%81=1&%E2%84%AA=3&K=4")
  }

  @Test(
    "are read back as they were",
    arguments: ["", "a b", "+", "%", "&=;", "é😀", "\r\n\0", "a\u{301}", "~-._*!'()"])
  func roundTrip(value: String) throws {
    var form = FormParameters()
    form.append(value, value)
    form.append("k", value)
    let read = try #require(FormParameters(encoded: form.encoded))
    #expect(read.map { Array($0.value.utf8) } == [Array(value.utf8), Array(value.utf8)])
    #expect(form.encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(read == form)
  }
}
