import Testing

@testable import Sandbox

@Suite("Redirect addresses are compared by the rules for native apps")
struct AddressTests {
  @Test(
    "only plain HTTP on loopback may change its port",
    arguments: [
      ("http://127.0.0.1/cb", "http://127.0.0.1:4711/cb", true),
      ("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", true),
      ("http://[::1]/cb", "http://[::1]:2/cb", true),
      ("http://localhost/cb", "http://localhost:2/cb", true),
      ("http://127.0.0.1/cb", "http://127.0.0.1/other", false),
      ("http://127.0.0.1/cb", "http://127.0.0.1/cb?a=1", false),
      ("http://127.0.0.1/cb", "http://localhost/cb", false),
      ("http://127.0.0.1/cb", "https://127.0.0.1:2/cb", false),
      ("https://example.com/cb", "https://example.com:8443/cb", false),
      ("https://example.com/cb", "https://example.com/cb", true),
      ("com.example:/cb", "com.example:/cb", true),
      ("com.example:/cb", "com.example:/cb2", false),
      ("http://127.0.0.1/cb", "http://evil.example/cb", false),
      ("http://127.0.0.1/cb", "http://user@127.0.0.1:2/cb", false),
    ])
  func matches(registered: String, requested: String, expected: Bool) {
    #expect(Address.matches(registered: registered, requested: requested) == expected)
  }

  @Test(
    "what is no address is none",
    arguments: [
      "", "no-colon", "1a:/x", "a_b:/x", "https://a/#b", "https://a b/", "http://[::1",
      "https://a:port/",
      "https://u@a/", "https://ä/",
    ])
  func refuses(text: String) { #expect(Address(text) == nil) }

  @Test(
    "a policy names the origin of a redirect, or its scheme where it has no such origin",
    arguments: [
      ("https://example.com/cb?x=1", "https://example.com"),
      ("http://127.0.0.1:7777/cb", "http://127.0.0.1:7777"),
      ("http://[::1]:7777/cb", "http:"), ("com.example.app:/cb", "com.example.app:"),
    ])
  func formTargets(text: String, expected: String) {
    #expect(Address(text)?.formTarget == expected)
  }
}
