import TestSupport

@testable import Pinning

@Suite("Which pin set decides")
struct PinPrecedenceTests {
  private static func sets(_ patterns: [String], _ suffixes: [String] = []) throws -> PinSets {
    PinSets(
      try patterns.map { PinSet(try #require(PinPattern($0)), keys: [PinSetsTests.key(1)]) },
      publicSuffixes: PublicSuffixes { suffixes.contains($0) })
  }

  @Test(
    "the nearest name decides, then the port, and direct subdomains before all",
    arguments: [
      ("example.com", 443, "example.com"), ("example.com", 8443, "example.com:8443"),
      ("a.example.com", 443, "*.example.com"), ("b.a.example.com", 443, "**.example.com"),
      ("b.a.example.com", 8443, "**.example.com"), ("api.example.com", 443, "*.example.com"),
      ("api.example.com", 9000, "api.example.com:9000"),
      ("deep.api.example.com", 9000, "**.example.com"), ("only.test", 443, "**.only.test"),
      ("evil-example.com", 443, nil), ("10.0.0.1", 443, nil), ("10.0.0.1", 8443, "10.0.0.1:8443"),
      ("::1", 443, "::1"),
    ] as [(String, UInt16, String?)])
  func nearest(host: String, port: UInt16, expected: String?) throws {
    let sets = try Self.sets([
      "example.com", "example.com:8443", "*.example.com", "**.example.com",
      "api.example.com:9000", "**.only.test", "10.0.0.1:8443", "[::1]",
    ])
    #expect(sets.set(for: host, port: port)?.pattern.description == expected)
  }

  @Test(
    "no pattern reaches across a public suffix",
    arguments: [
      ("a.example.com", true), ("x.shop.example.com", false), ("shop.example.com", true),
      ("b.x.shop.example.com", false), ("a.co.uk", false),
    ])
  func suffixes(host: String, isPinned: Bool) throws {
    let sets = try Self.sets(
      ["**.example.com", "**.co.uk"], ["com", "uk", "co.uk", "shop.example.com"])
    #expect((sets.set(for: host, port: 443) != nil) == isPinned)
  }

  @Test("an origin is not checked against the pins of a proxy, nor a proxy against an origin's")
  func proxies() throws {
    let proxy = try #require(PinPattern("example.com", isProxy: true))
    let sets = PinSets([PinSet(proxy, keys: [PinSetsTests.key(1)])])
    #expect(sets.set(for: "example.com", port: 443) == nil)
    #expect(sets.set(for: "example.com", port: 443, isProxy: true) != nil)
    #expect(try Self.sets(["example.com"]).set(for: "example.com", port: 443, isProxy: true) == nil)
  }

  @Test("a plain host means the set with all subdomains if there is no other")
  func meant() throws {
    let wide = try Self.sets(["**.example.com"])
    #expect(wide["example.com"]?.pattern.description == "**.example.com")
    #expect(wide.adding([PinSetsTests.key(2)], to: "example.com")?.sets.count == 1)
    let both = try Self.sets(["**.example.com", "example.com"])
    #expect(both["example.com"]?.pattern.description == "example.com")
    #expect(both.removing("example.com").sets.map(\.pattern.description) == ["**.example.com"])
  }

  @Test("what is removed is exactly what is named")
  func removed() throws {
    let wide = try Self.sets(["**.example.com"])
    #expect(wide.removing("example.com") == wide)
    #expect(wide.removing([PinSetsTests.pin(1)], from: "example.com") == wide)
    #expect(wide.removing("**.example.com").sets.isEmpty)
  }

  @Test(
    "the set that decides about a pattern is its own, or the nearest wider one",
    arguments: [
      ("a.test", "a.test"), ("**.a.test", "**.a.test"), ("*.a.test", "**.a.test"),
      ("b.a.test", "**.a.test"),
      ("b.a.test:8443", "b.a.test:8443"), ("b.a.test:443", "**.a.test"), ("c.test", nil),
      ("x.c.test", "*.c.test"), ("*.c.test", "*.c.test"), ("x.y.c.test", nil), ("*.y.c.test", nil),
    ])
  func deciding(pattern: String, expected: String?) throws {
    let sets = try Self.sets(["a.test", "**.a.test", "b.a.test:8443", "*.c.test"])
    let found = sets.set(deciding: try #require(PinPattern(pattern)))
    #expect(found?.pattern.description == expected)
  }

  @Test("a program evaluates a path without a transport")
  func verdict() throws {
    let sets = try Self.sets(["a.test"]).adding(
      PinSet(
        try #require(PinPattern("old.test")), expires: Timestamp(5), keys: [PinSetsTests.key(1)]))
    let path = [ChainKey(subject: "CN=a", pin: PinSetsTests.pin(1), role: .leaf)]
    guard case .matched(let key, let set) = sets.verdict(of: path, host: "A.test", at: Timestamp(9))
    else { throw Unmet("not matched") }
    #expect(key.pin == PinSetsTests.pin(1) && set.host == "a.test")
    guard case .mismatch(let mismatch, _) = sets.verdict(of: [], host: "a.test", at: Timestamp(9))
    else { throw Unmet("not a mismatch") }
    #expect(mismatch.host == "a.test")
    guard case .expired = sets.verdict(of: path, host: "old.test", at: Timestamp(9)) else {
      throw Unmet("not expired")
    }
    #expect(sets.verdict(of: path, host: "b.test", at: Timestamp(9)) == .notPinned)
  }
}
