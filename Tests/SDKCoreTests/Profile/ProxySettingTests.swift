import Testing

@testable import SDKCore

@Suite("The proxy of a profile")
struct ProxySettingTests {
  @Test(
    "is none, or a URL without a user and a path",
    arguments: [
      ("none", true), ("http://proxy.test:3128", true), ("https://proxy.test", true),
      ("socks5://127.0.0.1:1080", true), ("socks5h://[::1]:1080", true),
      ("http://proxy.test/", true), ("proxy.test:3128", false), ("", false), ("None", false),
      ("http://user:secret@proxy.test:3128", false), ("http://user@proxy.test", false),
      ("http://proxy.test/path", false), ("http://proxy.test?x", false),
      ("http://proxy.test#x", false), ("ftp://proxy.test", false), ("http://", false),
      ("http://proxy.test:0", false), ("http://a b", false), ("socks4://proxy.test", false),
    ])
  func values(text: String, isValid: Bool) throws {
    #expect((ProxySetting(text) != nil) == isValid)
    let key = try #require(SettingTable.core.named("proxy"))
    if isValid {
      #expect(key.text(of: try key.value(from: text)) == text)
    } else {
      #expect(throws: (any Error).self) { try key.value(from: text) }
    }
  }
}
