import TestSupport

struct HostNameTests {
  @Test(
    "a host has one spelling",
    arguments: [
      ("example.com", "example.com"), ("EXAMPLE.Com", "example.com"),
      ("example.com.", "example.com"), ("localhost", "localhost"), ("a_b.example", "a_b.example"),
      ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("1.example", "1.example"),
      ("127.0.0.1", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"),
      ("[2001:DB8:0:0:0:0:0:1]", "2001:db8::1"), ("2001:db8::0:1", "2001:db8::1"),
      ("0:0:0:0:0:0:0:0", "::"), ("::ffff:10.1.2.3", "::ffff:10.1.2.3"), ("1::", "1::"),
      ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ])
  func normalized(text: String, expected: String) {
    #expect(HostName.normalized(text) == expected)
    #expect(HostName.normalized(expected) == expected)
  }

  @Test(
    "only an IPv6 address has brackets in a URL",
    arguments: [("::1", "[::1]"), ("127.0.0.1", "127.0.0.1"), ("example.com", "example.com")])
  func bracketed(host: String, expected: String) {
    #expect(HostName.bracketed(host) == expected)
  }

  @Test(
    "a text that is not a host is refused",
    arguments: [
      "", ".", "..", "example..com", ".example.com", "example.com..", "-a.example", "a-.example",
      "a b", "a/b", "a:b", "a@b", "*.example.com", "a\0b", "example.com:443",
      "[example.com]", "[127.0.0.1]", "[", "[]", ":", ":::", "::1::", "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7", "12345::", "::g", "::+1", "::-0", ":::::::::", "::-1", "::0x1",
      "fa\u{212A}e.example",
      "\u{FF45}xample.com", "example\u{3002}com", "b\u{FC}cher.\u{FF45}xample", "ex\u{AD}ample.com",
      "[::1", "::1]", "[[::1]]", "1::2::3", "::1.2.3",
      "::01.2.3.4",
      "1:2:3:4:5:6:7:1.2.3.4", "::1%1", "[::1].", "fe80::1%eth0", "1::127.0.0.1::", "127.0.0.1::",
      "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1", "0x7f000001", "a.0x1", "1.2.3.4:80",
      String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "a",
    ])
  func refused(text: String) {
    #expect(HostName.normalized(text) == nil)
  }

  @Test(
    "addresses are distinguished from names",
    arguments: [
      ("127.0.0.1", true), ("::1", true), ("example.com", false), ("1.example", false),
      ("::1\0", false),
    ])
  func address(host: String, isAddress: Bool) {
    #expect(HostName.isAddress(host) == isAddress)
  }

  @Test(
    "this machine is distinguished from others",
    arguments: [
      ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("128.0.0.1", false),
      ("::2", false), ("::", false), ("1::1", false), ("::ffff:127.0.0.1", false),
    ])
  func loopback(address: String, isLoopback: Bool) throws {
    #expect(try #require(IPAddress(address)).isLoopback == isLoopback)
  }
}
