import HTTP
import POSIX
import Pinning
import Primitives
import Testing

@testable import Curl

@Suite("The proxy of the environment")
struct ProxyTests {
  struct Row: Sendable {
    let url: String
    var usesTLS = true
    var host: String?
    var port: UInt16 = 443
  }

  @Test(
    "is the one that libcurl uses, however it is spelled",
    arguments: [
      Row(url: "https://proxy.test:8443", host: "proxy.test", port: 8443),
      Row(url: "HTTPS://user:p%40ss@Proxy.Test.:8443/x?y#z", host: "proxy.test", port: 8443),
      Row(url: "https://proxy.test", host: "proxy.test"),
      Row(url: "https://proxy.test:", host: "proxy.test"),
      Row(url: "https:///proxy.test:8443", host: "proxy.test", port: 8443),
      Row(url: "https:/proxy.test:8443", host: "proxy.test", port: 8443),
      Row(url: "https://prox%79.test:8443", host: "proxy.test", port: 8443),
      Row(url: "https://127.1:8443", host: "127.0.0.1", port: 8443),
      Row(url: "https://2130706433:8443", host: "127.0.0.1", port: 8443),
      Row(url: "https://0x7f.1:8443", host: "127.0.0.1", port: 8443),
      Row(url: "https://[0:0:0::1]:8443", host: "::1", port: 8443),
      Row(url: "http://proxy.test:3128", usesTLS: false, host: "proxy.test", port: 3128),
      Row(url: "proxy.test:3128", usesTLS: false, host: "proxy.test", port: 3128),
      Row(url: "socks5h://proxy.test:1080", usesTLS: false, host: "proxy.test", port: 1080),
      // What libcurl cannot read, it does not use either.
      Row(url: "https://proxy.test:x"), Row(url: "https:////proxy.test"), Row(url: "https://"),
      // A host that can have no pin.
      Row(url: "https://-a.test:8443", port: 8443),
    ])
  func spellings(row: Row) throws {
    try CurlLibrary.load()
    let proxy = try #require(Proxy(Environment(["https_proxy": row.url])))
    #expect(proxy.usesTLS == row.usesTLS)
    #expect(proxy.host == row.host)
    #expect(proxy.port == row.port)
    #expect(proxy.text == row.url)
  }

  @Test("is named by the first variable that is not empty")
  func variables() throws {
    try CurlLibrary.load()
    let all = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    var values = ["http_proxy": "https://http.test"]
    #expect(Proxy(Environment(values)) == nil)
    for (index, name) in all.enumerated().reversed() {
      values[name] = "https://p\(index).test"
      #expect(Proxy(Environment(values))?.host == "p\(index).test")
    }
    for name in all { values[name] = "" }
    #expect(Proxy(Environment(values)) == nil)
    values["ALL_PROXY"] = "https://p.test"
    values["NO_PROXY"] = "a.test"
    #expect(Proxy(Environment(values))?.exceptions == "a.test")
    values["no_proxy"] = "b.test"
    #expect(Proxy(Environment(values))?.exceptions == "b.test")
  }

  @Test(
    "is refused before a connection if its pins could not be checked",
    arguments: [
      ("https://-a.test:8443", "api.test", "", PinPolicy?.none, true),
      ("https://proxy.test:x", "api.test", "", nil, true),
      // A handshake with such a proxy looks like one with the host.
      ("https://proxy.test:8443", "proxy.test", "", nil, true),
      ("https://127.1:8443", "127.0.0.2", "", nil, true),
      ("https://proxy.test:8443", "proxy.test", "x.test, proxy.test", nil, false),
      ("https://proxy.test:8443", "proxy.test", "", .report, false),
      ("https://proxy.test:8443", "api.test", "", nil, false),
      ("http://proxy.test:8443", "proxy.test", "", nil, false),
      ("https://other.test:8443", "other.test", "", nil, false),
    ])
  func unchecked(
    proxy: String, host: String, exceptions: String, policy: PinPolicy?, isRefused: Bool
  ) throws {
    let pin = try #require(Pin(sha256: [UInt8](repeating: 7, count: 32)))
    let key = PinnedKey(pin: pin, role: .leaf)
    let sets = try ["proxy.test", "127.0.0.1"].map { name in
      PinSet(try #require(PinPattern(name, isProxy: true)), policy: policy, keys: [key])
    }
    let transport = try transport { configuration in
      configuration.pins = PinSets(sets)
      configuration.environment = {
        Environment(["https_proxy": proxy, "no_proxy": exceptions])
      }
    }
    do {
      let rule = try transport.proxyRule(for: host)
      #expect(!isRefused)
      #expect(rule?.proxy.text == proxy)
    } catch {
      #expect(isRefused)
      #expect(error.code == .pinMismatch)
      #expect(error.message.contains("cannot be checked"))
    }
  }
}
