import Testing

@testable import Pinning

@Suite("Pin patterns")
struct PinPatternTests {
  @Test(
    "a pattern is read, and written in one spelling",
    arguments: [
      ("example.com", "example.com"), ("Example.COM.", "example.com"),
      ("*.example.com", "*.example.com"), ("**.Example.com", "**.example.com"),
      ("example.com:8443", "example.com:8443"), ("**.example.com:443", "**.example.com:443"),
      ("127.0.0.1", "127.0.0.1"), ("127.0.0.1:8443", "127.0.0.1:8443"), ("::1", "::1"),
      ("[::1]", "::1"), ("[::1]:8443", "[::1]:8443"), ("[0:0::1]:1", "[::1]:1"),
      ("xn--bcher-kva.example", "xn--bcher-kva.example"),
      ("bücher.example", "xn--bcher-kva.example"),
      ("**.BÜCHER.example:8443", "**.xn--bcher-kva.example:8443"),
    ])
  func spelling(text: String, written: String) throws {
    let pattern = try #require(PinPattern(text))
    #expect(pattern.description == written)
    #expect(PinPattern(written) == pattern)
  }

  @Test(
    "anything else is not a pattern",
    arguments: [
      "", "*", "*.", "**", "**.", "*example.com", "a.*.com", "***.example.com", "*.*.example.com",
      "example.com:", "example.com:0", "example.com:65536", "example.com:x", "example.com:+1",
      "example.com:000443", "*.127.0.0.1", "**.127.0.0.1", "**.::1", "*.[::1]:443",
      "https://example.com", "example.com/", "bücher..example", "a b", "[::1", "[::1]:", "0x7f.1",
    ])
  func refused(text: String) {
    #expect(PinPattern(text) == nil)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let pattern: String
    let host: String
    let covered: Bool
    var testDescription: String { "\(pattern) \(host)" }
  }

  @Test(
    "`*.` is exactly one label, `**.` the host and all below, and a suffix without a dot is neither",
    arguments: [
      Row(pattern: "example.com", host: "example.com", covered: true),
      Row(pattern: "example.com", host: "a.example.com", covered: false),
      Row(pattern: "*.example.com", host: "a.example.com", covered: true),
      Row(pattern: "*.example.com", host: "example.com", covered: false),
      Row(pattern: "*.example.com", host: "b.a.example.com", covered: false),
      Row(pattern: "**.example.com", host: "example.com", covered: true),
      Row(pattern: "**.example.com", host: "b.a.example.com", covered: true),
      // okhttp#3324
      Row(pattern: "*.example.com", host: "evil-example.com", covered: false),
      Row(pattern: "**.example.com", host: "evil-example.com", covered: false),
      Row(pattern: "**.example.com", host: "a.evil-example.com", covered: false),
      Row(pattern: "**.example.com", host: "example.com.evil.test", covered: false),
      Row(pattern: "**.example.com", host: "com", covered: false),
      Row(pattern: "127.0.0.1", host: "127.0.0.1", covered: true),
      Row(pattern: "127.0.0.1", host: "127.0.0.2", covered: false),
    ])
  func coverage(row: Row) throws {
    let pattern = try #require(PinPattern(row.pattern))
    #expect(pattern.covers(row.host, port: 443) == row.covered)
    let port = try #require(PinPattern(row.pattern + ":443"))
    #expect(port.covers(row.host, port: 443) == row.covered)
    #expect(!port.covers(row.host, port: 444))
  }

  @Test("port 0 is not a port, and an address does not have subdomains")
  func limits() throws {
    #expect(PinPattern(host: "example.com", port: 0) == nil)
    #expect(PinPattern(host: "127.0.0.1", subdomains: .direct) == nil)
    #expect(
      PinPattern(host: "127.0.0.1", subdomains: .all)?.subdomains == PinPattern.Subdomains.none)
  }
}
