import Pinning
import TestSupport

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

  @Test(
    "has a flaw if libcurl would not connect to it",
    arguments: [
      ("http://p.test:1", nil), ("HTTPS://p.test", nil), ("p.test:1", nil),
      ("socks4://p.test", nil),
      ("socks5h://p.test", nil), ("socks9://p.test", "'socks9' is not one of "),
      ("ftp://p.test", "'ftp' is not one of "), ("https://p.test:x", "its URL cannot be read"),
      ("a b", "its URL cannot be read"),
    ] as [(String, String?)])
  func flaws(url: String, flaw: String?) async throws {
    try CurlLibrary.load()
    let proxy = try #require(Proxy(Environment(["https_proxy": url])))
    #expect(proxy.flaw?.hasPrefix(flaw ?? "-") == (flaw == nil ? nil : true), "\(proxy.flaw ?? "")")
    guard flaw != nil else { return }
    let error = try await Self.failure(of: ["https_proxy": url])
    #expect(error.code == .proxyUnusable)
    #expect(error.message.contains(" of https_proxy cannot be used: \(flaw ?? "")"), "\(error)")
  }

  @Test("that cannot be reached is named with where it is set; a host without one is not")
  func unreachable() async throws {
    let server = try LoopbackServer()
    server.stop()
    let place = "localhost:\(server.port)"
    for name in ["http", "https", "socks5"] {
      let error = try await Self.failure(of: ["ALL_PROXY": "\(name)://\(place)"])
      #expect(error.code == .proxy)
      #expect(
        error.message == "the proxy \(place) of ALL_PROXY could not be reached: connection refused")
    }
    let ofProfile = try await Self.failure(
      of: ["https_proxy": "http://\(place)"], source: "the profile")
    #expect(ofProfile.message.hasPrefix("the proxy \(place) of the profile could not"))
    let unknown = try await Self.failure(of: ["https_proxy": "http://nonexistent.invalid:1"])
    #expect(unknown.code == .proxy)
    #expect(
      unknown.message
        == "the host name of the proxy nonexistent.invalid:1 of https_proxy could not be resolved")
    let direct = try await Self.failure(of: [
      "https_proxy": "ftp://\(place)", "no_proxy": "localhost",
    ])
    #expect(direct.code == .connection)
    #expect(direct.message == "localhost:1 could not be reached: connection refused")
    let plain = try LoopbackServer(chain: nil)
    let other = "localhost:\(plain.port)"
    let refused = try await Self.failure(of: ["https_proxy": "http://\(other)"])
    #expect(refused.message == "the proxy \(other) of https_proxy returned 403")
    let silent = try LoopbackSocket.listen(.v4)
    let late = try await Self.failure(
      of: ["https_proxy": "http://localhost:\(silent.port)", "no_proxy": "a.test"],
      within: .seconds(1))
    #expect(late.message == "localhost:1 could not be reached within 1.0 seconds")
    _ = consume silent
  }

  @Test("is read from the message of any libcurl")
  func messages() throws {
    try CurlLibrary.load()
    let proxy = try #require(Proxy(Environment(["https_proxy": "http://[::1]:3128"])))
    for (message, isTried) in [
      ("Failed to connect to ::1 port 3128 after 0 ms: Couldn't connect to server", true),
      (
        "Failed to connect to api.test port 443 via ::1 after 0 ms: Could not connect to server",
        true
      ),
      ("Failed to connect to api.test port 443 after 0 ms: Couldn't connect to server", false),
      ("Failed to connect to ::1 port 443 after 0 ms: Couldn't connect to server", false),
      ("", false), ("port 3128 is closed", false), ("no ::1 port", false),
    ] {
      #expect(proxy.isTried(in: message) == isTried)
    }
  }

  /// The error of a request to a port where nobody listens.
  private static func failure(
    of variables: [String: String], source: String? = nil, within limit: Duration = .seconds(30)
  ) async throws -> TransportError {
    let transport = try transport { configuration in
      configuration.environment = { Environment(variables) }
      configuration.proxySource = source
      configuration.connectTimeout = limit
    }
    return try await transport.failure(of: HTTPRequest(.get, try HTTPURL("https://localhost:1/")))
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
    let reads = FakeNotes()
    let transport = try transport { configuration in
      configuration.pins = PinSets(sets)
      configuration.environment = {
        reads.add("")
        return Environment(["https_proxy": proxy, "no_proxy": exceptions])
      }
    }
    defer { #expect(reads.all.count == 1) }
    _ = try? transport.proxyRule(for: host)
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
