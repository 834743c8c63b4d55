import TestSupport

@testable import Pinning

struct PinSetTests {
  private static let chain = [
    ChainKey(subject: "CN=leaf", pin: PinSetsTests.pin(1), role: .leaf),
    ChainKey(subject: "CN=middle", pin: PinSetsTests.pin(2), role: .intermediate),
    ChainKey(subject: "CN=root", pin: PinSetsTests.pin(3), role: .root),
  ]

  @Test(
    "any key of the chain matches, the nearest to the leaf first",
    arguments: [
      ([1], 1), ([2], 2), ([3], 3), ([9, 3], 3), ([3, 1], 1), ([3, 2], 2), ([9], nil), ([], nil),
    ] as [([UInt8], UInt8?)])
  func match(pinned: [UInt8], matched: UInt8?) throws {
    let keys = pinned.map { PinSetsTests.key($0, .backup) }
    let set = try #require(PinSet(host: "a.test", keys: keys))
    let mismatch = PinMismatch(host: "a.test", chain: Self.chain, pinned: keys)
    let expected: PinVerdict? = matched.map { .matched(PinSetsTests.key($0, .backup), set) }
    #expect(set.verdict(of: Self.chain, at: 0) == expected ?? .mismatch(mismatch, set))
    if case .mismatch = set.verdict(of: [], at: 0) {} else { Issue.record("an empty path matches") }
  }

  @Test("a mismatch shows both lists, and no control characters")
  func lines() throws {
    let pinned = [PinSetsTests.key(7, .backup, label: "backup.csr"), PinSetsTests.key(8, .root)]
    let set = try #require(PinSet(host: "a.test", includesSubdomains: true, keys: pinned))
    let chain = [ChainKey(subject: "CN=x\u{1B}[2J", pin: PinSetsTests.pin(1), role: .leaf)]
    guard case .mismatch(let mismatch, _) = set.verdict(of: chain, host: "b.a.test", at: 0) else {
      throw Unmet("matched")
    }
    #expect(
      mismatch.lines == [
        "chain of b.a.test:", "  \(PinSetsTests.pin(1)) CN=x\\1B[2J", "pinned for b.a.test:",
        "  \(PinSetsTests.pin(7)) backup.csr", "  \(PinSetsTests.pin(8)) root",
      ])
    #expect(
      PinMismatch(host: "a", chain: [], pinned: []).lines == [
        "chain of a:", "  none", "pinned for a:", "  none",
      ])
  }
}
