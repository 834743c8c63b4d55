import OpenSSL
import TestSupport

@testable import Pinning

struct PinSetsTests {
  static func pin(_ byte: UInt8) -> Pin { Pin(key: [byte]) }

  static func key(_ byte: UInt8, _ role: PinRole = .leaf, label: String? = nil) -> PinnedKey {
    PinnedKey(pin: pin(byte), role: role, label: label, added: 5)
  }

  private static func set(
    _ host: String, subdomains: Bool = false, expires: Timestamp? = nil, _ keys: UInt8...
  ) throws -> PinSet {
    try #require(
      PinSet(
        host: host, includesSubdomains: subdomains, expires: expires, keys: keys.map { key($0) }))
  }

  @Test(
    "the host itself decides, else its nearest parent with subdomains",
    arguments: [
      ("example.com", "example.com"), ("EXAMPLE.COM.", "example.com"),
      ("a.example.com", "example.com"), ("b.a.example.com", "example.com"),
      ("notexample.com", nil), ("com", nil), ("example.com.evil.test", nil),
      ("api.example.com", "api.example.com"), ("v1.api.example.com", "example.com"),
      ("deep.example.com", "deep.example.com"), ("x.deep.example.com", "deep.example.com"),
      ("old.example.com", "expired old.example.com"),
      ("x.old.example.com", "expired old.example.com"), ("127.0.0.1", "127.0.0.1"),
      ("9.127.0.0.1", nil), ("::1", "::1"), ("[0:0:0:0:0:0:0:1]", "::1"), ("other.test", nil),
      ("", nil), ("bücher.example.com", "example.com"), ("bücher..example.com", nil),
    ])
  func requirement(host: String, expected: String?) throws {
    let book = PinSets([
      try Self.set("Example.com", subdomains: true, 1), try Self.set("api.example.com", 2),
      try Self.set("deep.example.com", subdomains: true, 3),
      try Self.set("old.example.com", subdomains: true, expires: 100, 4),
      try Self.set("127.0.0.1", subdomains: true, 5),
      try Self.set("[::1]", 7),
    ])
    let found: String? =
      switch book.verdict(of: [], host: host, at: 100) {
      case .matched(_, let set), .mismatch(_, let set): set.host
      case .expired(let set): "expired \(set.host)"
      case .notPinned: nil
      }
    #expect(found == expected)
  }

  @Test("a set expires at its second", arguments: [(99, false), (100, true), (101, true)])
  func expiry(now: Timestamp, expired: Bool) throws {
    let set = try Self.set("example.com", expires: 100, 1)
    #expect(set.isExpired(at: now) == expired)
    let verdict = PinSets([set]).verdict(of: [], host: "example.com", at: now)
    #expect((verdict == .expired(set)) == expired)
    #expect(try !Self.set("example.com", 1).isExpired(at: Timestamp(.max)))
  }

  @Test("an address has no subdomains, and a host must be one")
  func sets() throws {
    #expect(try !Self.set("127.0.0.1", subdomains: true, 1).includesSubdomains)
    #expect(try Self.set("a.test", subdomains: true, 1).includesSubdomains)
    #expect(PinSet(host: "*.example.com", keys: []) == nil)
    #expect(try Self.set("A.test.", 1, 1, 2).keys.map(\.pin) == [Self.pin(1), Self.pin(2)])
    #expect(try Self.set("a.test", 1).covers("b.a.test") == false)
    #expect(try Self.set("a.test", subdomains: true, 1).covers("b.a.test"))
    #expect(try Self.set("a.test", subdomains: true, 1).covers("ba.test") == false)
  }

  @Test("a change makes a new value")
  func changes() throws {
    let book = PinSets([try Self.set("b.test", 1), try Self.set("a.test", 2)])
    #expect(book.sets.map(\.host) == ["a.test", "b.test"])
    let more = try #require(book.adding([Self.key(3), Self.key(1, .root)], to: "B.test"))
    #expect(more["b.test"]?.keys == [Self.key(3), Self.key(1, .root)])
    #expect(more["a.test"] == book["a.test"])
    #expect(book["b.test"]?.keys == [Self.key(1)])
    let fresh = try #require(book.adding([Self.key(9)], to: "c.test"))
    #expect(fresh["C.TEST."]?.keys == [Self.key(9)])
    #expect(book.adding([Self.key(9)], to: "no host") == nil)
    let replaced = book.adding(try Self.set("a.test", subdomains: true, expires: 7, 4))
    #expect(try replaced["**.a.test"] == Self.set("a.test", subdomains: true, expires: 7, 4))
    #expect(replaced["*.a.test"] == nil)
    let kept = try #require(replaced.adding([Self.key(5)], to: "**.a.test")?["**.a.test"])
    #expect(kept.includesSubdomains && kept.expires == 7 && kept.keys.count == 2)
    #expect(book.removing("A.test").sets.map(\.host) == ["b.test"])
    #expect(book.removing("x.test") == book)
    #expect(book.removing("no host") == book)
    let fewer = more.removing([Self.pin(3)], from: "b.test")
    #expect(fewer["b.test"]?.keys == [Self.key(1, .root)])
    #expect(fewer.removing([Self.pin(1)], from: "b.test")["b.test"] == nil)
    #expect(more.removing([Self.pin(77)], from: "b.test") == more)
    #expect(more.removing([Self.pin(3)], from: "x.test") == more)
    #expect(PinSets().sets.isEmpty)
  }
}
