import Foundation
import TestSupport

/// URLs that two parsers could read as two hosts: each is refused, or stays at the host it names.
@Suite("A hostile URL")
struct HostileURLTests {
  private static let badHost = "its host is not a DNS name or an IP address"

  /// Each reason with the URLs that have it.
  private static let refusals: [(String, [String])] = [
    (
      "it holds user information before '@'",
      [
        // User information, as a prefix that looks like the host.
        "https://good.test@evil.test/", "https://good.test:443@evil.test/",
        "https://good.test%2F@evil.test/", "https://good.test\\@evil.test/",
        "https://good.test\u{FF0F}@evil.test/", "https://a@b@evil.test/", "https://@evil.test/",
        "https://:@evil.test/", "https://good.test:@evil.test:80/", "https://@",
        "https://[::1]@evil.test/",
        // Marks that make one Character of a delimiter and themselves.
        "https://good.test\u{301}@evil.test/",
      ]
    ),
    (
      badHost,
      [
        // Backslashes, which browsers read as slashes.
        "https://good.test\\.evil.test/", "https://good.test\\/evil.test/", "https:///evil.test/",
        "https:////evil.test/",
        // Tabs, line breaks and NUL, which browsers remove and C ends a text at.
        "https://good.test\t.evil.test/", "https://good.test\n.evil.test/",
        "https://good.test\0.evil.test/", "https://good.test%00.evil.test/",
        "https://good.test%0d%0a.evil.test/",
        // Ports.
        "https://good.test:443:80/", "https://good.test::443/",
        // Addresses that some resolvers read and others do not.
        "https://0177.0.0.1/", "https://0x7f000001/", "https://127.1/", "https://127.0.0.1.1/",
        "https://127.0.0.256/", "https://good.test.0x1/", "https://[::ffff:127.0.0.01]/",
        "https://[::ffff:127.0.0]/", "https://[::127.0.0.1.2]/", "https://[1::2::3]/",
        "https://[:1::]/", "https://[fe80::1%25lo]/", "https://[vF.abc]/", "https://[::1",
        "https://[::1]evil.test/", "https://[]/",
        "https://[:::::::::]/", "https://[::-0]/", "https://[::+1]/", "https://[:]/",
        "https://[1:2:3]/", "https://[1:2:3:4:5:6:7:8:9]/", "https://[12345::]/",
        "https://[::1%eth0]/", "https://[127.0.0.1]/", "https://[example.com]/",
        "https://[b\u{FC}cher.example]/", "https://[::1]80/", "https://[[::1]]/", "https://::1/",
        "https://::1:443/", "https://1:2:3:4:5:6:7:8/", "https://::1]/", "https://1.2.3/",
        "https://1/", "https://1.2.3.04/", "https://127.0.0.0x1/", "https://0X7F000001/",
        "https://1.2.3.4./", "https://a.1/", "https://a.0x/", "https://1..2.3/",
        "https://.1.2.3.4/",
        // Punctuation and escapes.
        "https://a%2eb/", "https://%61/", "https://a,b/", "https://a;b/", "https://a=b/",
        "https://a!b/", "https://a$b/", "https://a&b/", "https://a'b/", "https://(a)/",
        "https://a*/", "https://a+b/", "https://a|b/", "https://a^b/", "https://a`b/",
        "https://{a}/", "https://<a>/", "https://a\"b/", "https://a b/",
        // Labels.
        "https://", "https://:443/", "https://./", "https://../", "https://.a/", "https://a../",
        "https://a.-b/", "https://a-.b/",
      ]
    ),
    (
      "'//' is missing after the scheme",
      [
        // Backslashes, which browsers read as slashes.
        "https:\\\\evil.test/", "https:/\\evil.test/", "https:\\/evil.test/", "https:/evil.test/",
        "https:evil.test", "https:",
        // Tabs, line breaks and NUL, which browsers remove and C ends a text at.
        "https:\t//evil.test/",
        // Marks that make one Character of a delimiter and themselves.
        "https:/\u{301}/evil.test/",
      ]
    ),
    (
      "it has no scheme; write https://HOST/PATH",
      [
        // Tabs, line breaks and NUL, which browsers remove and C ends a text at.
        "a b", "ht\ttps://evil.test/", "https\0://evil.test/", " https://evil.test/",
        "\u{0}https://evil.test/",
        // What is no scheme.
        "http s://h/", "-https://h/", "://h/", ":h", "\u{FEFF}https://h/", "\u{FF48}ttps://h/",
        "htt\u{212A}s://h/",
      ]
    ),
    (
      "it holds a line break or another control character",
      [
        // Tabs, line breaks and NUL, which browsers remove and C ends a text at.
        "https://evil.test/\t", "https://evil.test/a\0b", "https://evil.test/?a\r\nHost: x",
        "https://evil.test/?\u{7F}",
      ]
    ),
    (
      "its port is not a number from 1 to 65535",
      [
        // Ports.
        "https://h:0/", "https://h:65536/", "https://h:4294967739/",
        "https://h:18446744073709552059/", "https://h:-443/", "https://h:+443/", "https://h:4 43/",
        "https://h:443a/", "https://h:%34%34%33/", "https://h:4\u{0664}3/", "https://h:\\443/",
        "https://[::1]:0/", "https://[::1]:443:80/",
        "https://h:80 /", "https://h:0x50/", "https://h:00000000/", "https://h:8\u{301}/",
      ]
    ),
    (
      "its scheme is not https",
      [
        // Other schemes.
        "javascript://good.test/%0aalert(1)", "data:text/html,x", "file://good.test/x",
        "https+unix://x", "blob:https://good.test/", "view-source:https://good.test/",
        "ftp://h/", "httpss://h/", "ws://h/", "wss://h/", "mailto:a@h", "urn:x:y",
        "tel:+1", "id.test:8443/api?code=1",
      ]
    ),
  ]

  @Test("is refused with its reason", arguments: refusals)
  func refused(reason: String, texts: [String]) {
    for text in texts {
      let error = #expect(throws: HTTPURLError.self, "\(text)") { try HTTPURL(text) }
      #expect(error?.description == reason, "\(text)")
    }
  }

  /// Letters that a parser may read as others: U+212A is lowered to k, and full-width letters to
  /// those of ASCII.
  @Test(
    "is refused with the host that it looks like",
    arguments: [
      ("https://fa\u{212A}e.example/", "fake.example"), ("https://\u{212A}/", "k"),
      ("https://\u{FF45}xample.com/", "example.com"),
      ("https://example\u{3002}com/", "example.com"),
      ("https://example\u{FF0E}com/", "example.com"), ("https://exam\u{AD}ple.com/", "example.com"),
      ("https://example.com\u{200B}/", "example.com"),
      ("https://\u{FF11}\u{FF12}\u{FF17}.0.0.1/", "127.0.0.1"),
      ("https://\u{2460}.example/", "1.example"),
      ("https://b\u{FC}cher.\u{FF45}xample/", "xn--bcher-kva.example"),
      ("https://b\u{FC}cher.example\u{FF1A}80/", "xn--bcher-kva.example:80"),
    ])
  func lookalike(text: String, host: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
    #expect(error?.description == "\(Self.badHost): it looks like \(host), but is not")
  }

  @Test(
    "is refused with what libidn2 says of it",
    arguments: ["https://b\u{FC}cher\u{FF0F}x.example/", "https://1.2.3.\u{664}/"])
  func noName(text: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
    #expect(error?.description.hasPrefix(Self.badHost + ": ") == true)
  }

  @Test(
    "is read with the host before the first slash, question mark or number sign",
    arguments: [
      ("https://good.test?@evil.test/", "https://good.test/?@evil.test/"),
      ("https://good.test#@evil.test/", "https://good.test/"),
      ("https://good.test/@evil.test/", "https://good.test/@evil.test/"),
      ("https://good.test/https://evil.test/", "https://good.test/https://evil.test/"),
      ("https://good.test?x=https://evil.test", "https://good.test/?x=https://evil.test"),
      ("https://good.test/\\@evil.test", "https://good.test/%5C@evil.test"),
      ("https://good.test/..;/@evil.test", "https://good.test/..;/@evil.test"),
      ("https://good.test//evil.test/..", "https://good.test//"),
      ("https://good.test/.//evil.test", "https://good.test//evil.test"),
      ("https://good.test:/x", "https://good.test/x"),
      ("https://good.test:00443/x", "https://good.test/x"),
      ("https://good.test:065535/", "https://good.test:65535/"),
      ("https://good.test?", "https://good.test/?"), ("https://good.test#", "https://good.test/"),
      ("https://good.test/?\u{301}#x", "https://good.test/?%CC%81"),
      ("https://good.test/#\u{301}x", "https://good.test/"),
      ("hTTpS://gOOd.tEst/A", "https://good.test/A"),
      // A percent sign that encodes nothing, as browsers and curl send it.
      ("https://good.test/%", "https://good.test/%25"),
      ("https://good.test/%a", "https://good.test/%25a"),
      ("https://good.test/%%41", "https://good.test/%25%41"),
      ("https://good.test/%%2e/x", "https://good.test/%25%2e/x"),
      ("https://good.test/?%u0041", "https://good.test/?%25u0041"),
      ("https://good.test/%\u{301}41", "https://good.test/%25%CC%8141"),
      ("https://good.test/%/@evil.test", "https://good.test/%25/@evil.test"),
    ])
  func read(text: String, expected: String) throws {
    #expect(try HTTPURL(text).description == expected)
  }

  /// What a `Location` field of good.test may have.
  @Test(
    "as a reference leads where all parsers agree, or nowhere",
    arguments: [
      ("//evil.test/x", "https://evil.test/x"), ("//bücher.test/x", "https://xn--bcher-kva.test/x"),
      ("///evil.test/x", nil), ("////evil.test", nil),
      ("//good.test@evil.test/", nil), ("//evil.test\\@good.test/", nil),
      ("//\u{301}evil.test/", nil),
      ("//evil.test:65536/", nil), ("//", nil), ("//:443", nil), ("//[::1", nil), ("//?x", nil),
      ("\\\\evil.test/x", "https://good.test/a/%5C%5Cevil.test/x"),
      ("/\\evil.test/x", "https://good.test/%5Cevil.test/x"),
      ("\\/evil.test/x", "https://good.test/a/%5C/evil.test/x"),
      ("/\u{301}/evil.test", "https://good.test/%CC%81/evil.test"),
      ("/.//evil.test/x", "https://good.test//evil.test/x"),
      ("/..//evil.test/x", "https://good.test//evil.test/x"),
      ("/%2F/evil.test/x", "https://good.test/%2F/evil.test/x"),
      ("https:evil.test", nil), ("https:/evil.test", nil), ("https:\\\\evil.test", nil),
      ("HTTPS://evil.test", "https://evil.test/"), ("http://evil.test", "http://evil.test/"),
      ("javascript:alert(1)", nil), ("data:,x", nil), ("file:///etc/passwd", nil), ("x-app:y", nil),
      (" https://evil.test/", "https://good.test/a/%20https://evil.test/"),
      ("\thttps://evil.test/", nil), ("\n//evil.test", nil), ("/\t/evil.test", nil), ("/\0", nil),
      ("1https://evil.test", "https://good.test/a/1https://evil.test"),
      (":80", "https://good.test/a/:80"), ("a:b", nil), ("./a:b", "https://good.test/a/a:b"),
      ("?//evil.test", "https://good.test/a/b?//evil.test"), ("?", "https://good.test/a/b?"),
      ("#//evil.test", "https://good.test/a/b?q"), ("@evil.test", "https://good.test/a/@evil.test"),
      (".evil.test", "https://good.test/a/.evil.test"), ("..", "https://good.test/"),
      ("../../../..", "https://good.test/"), ("%2e%2e/%2e%2e/x", "https://good.test/x"),
      ("%2E%2e%2fx", "https://good.test/a/%2E%2e%2fx"), ("..%5cx", "https://good.test/a/..%5cx"),
      ("..\\x", "https://good.test/a/..%5Cx"), ("..;/x", "https://good.test/a/..;/x"),
      (".%00./x", "https://good.test/a/.%00./x"), ("%", "https://good.test/a/%25"),
      ("100%", "https://good.test/a/100%25"), ("//good.test%/", nil), ("https://%/", nil),
      ("a b", "https://good.test/a/a%20b"),
    ] as [(String, String?)])
  func reference(reference: String, expected: String?) throws {
    let base = try HTTPURL("https://good.test/a/b?q")
    #expect((try? base.resolving(reference))?.description == expected)
  }

  @Test("encodes every byte that a path or a query must not have, and reads it back")
  func everyByte() throws {
    let allowed = Set("-._~!$&'()*+,;=:@/?[]".utf8)
    for value in 0...255 as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value), scalar != "#", scalar != "%" else { continue }
      let url = try? HTTPURL("https://h/a?b\(scalar)c")
      if value < 0x20 || value == 0x7F {
        #expect(url == nil)
      } else if allowed.contains(UInt8(value)) || scalar.properties.isAlphabetic && value < 0x80
        || (0x30...0x39).contains(value)
      {
        #expect(url?.query == "b\(scalar)c")
      } else {
        let hexadecimal = String(scalar).utf8.map { "%" + String($0, radix: 16, uppercase: true) }
        #expect(url?.query == "b\(hexadecimal.joined())c")
      }
    }
  }

  /// Foundation's parser of RFC 3986 is another implementation, which we did not write.
  @Test("that is accepted is the same URL for Foundation")
  func foundation() throws {
    let words = [
      "good.test", "evil.test", "1.2.3.4", "[::1]", "[2001:db8::7]", ":", "443", "8443", "/", "//",
      "..",
      ".", "?", "#", "@", "\\", "%2e", "%41", "%", ";", "é", " ", "a", "=", "&", "[", "]", "|",
      "xn--a", "\0",
    ]
    var random = Dice(state: 21)
    var accepted = 0
    for _ in 0..<20_000 {
      var text = "https://"
      for _ in 0..<Int.random(in: 1...7, using: &random) {
        text += words.randomElement(using: &random) ?? ""
      }
      guard let url = try? HTTPURL(text) else { continue }
      accepted += 1
      #expect(try HTTPURL(url.description) == url)
      _ = try? url.resolving(text)
      let other = try #require(URLComponents(string: url.description), "\(text)")
      #expect(other.scheme == "https")
      #expect(other.user == nil && other.password == nil && other.fragment == nil)
      #expect(other.encodedHost == (url.host.contains(":") ? "[\(url.host)]" : url.host), "\(text)")
      #expect(other.port.map { UInt16($0) } ?? 443 == url.port, "\(text)")
      guard !url.target.contains("["), !url.target.contains("]") else { continue }
      #expect(other.percentEncodedPath == url.path, "\(text)")
      #expect(other.percentEncodedQuery == url.query, "\(text)")
    }
    #expect(accepted > 1000)
  }

  @Test(
    "names a server for a credential only if nothing of the authority was ignored or changed",
    arguments: [
      ("https://a.test", "a.test"), ("https://a.test/x?y#z", "a.test"),
      ("HTTPS://A.test", "a.test"),
      ("https://a.test:443", "a.test"), ("https://a.test:8443/", "a.test:8443"),
      ("http://127.0.0.1:80", "127.0.0.1"), ("https://[::1]:8443", "[::1]:8443"),
      ("https://[::1]:443", "[::1]"), ("https://a.test.", "a.test."),
      ("https://a.test?.evil.test", nil), ("https://a.test#.evil.test", nil),
      ("https://a.test?/", nil), ("https://a.test#@evil.test", nil), ("https://b@a.test", nil),
      ("https://a.test:", nil), ("https://a.test:08443", nil), ("https://a.test:0443", nil),
      ("https://a.test\\@evil.test", nil), ("https://%61.test", nil), ("https://127.1", nil),
      ("https://[0::1]", nil), ("https://b\u{FC}cher.test", nil), ("https:/a.test", nil),
      ("https:a.test", nil), ("a.test", nil), ("", nil), ("https://", nil),
      ("https:///a.test", nil),
      ("https://a.test\n", nil), ("https://a.test\r", nil), (" https://a.test", nil),
      ("https://A\u{301}.test", nil), ("https://\u{212A}.test", nil),
    ] as [(String, String?)])
  func namedServer(address: String, authority: String?) {
    #expect(HTTPURL(serverNamed: address)?.authority == authority)
  }
}
