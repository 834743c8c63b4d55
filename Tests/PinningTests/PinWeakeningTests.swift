import TestSupport

@testable import Pinning

@Suite("Weaker pins")
struct PinWeakeningTests {
  private static func set(_ policy: PinPolicy? = nil, expires: Int64? = nil) throws -> PinSet {
    PinSet(
      try #require(PinPattern("a.test")), expires: expires.map { Timestamp($0) }, policy: policy,
      keys: [PinSetsTests.key(1)])
  }

  private static let profiles: [(PinPolicy, PinPolicy?, PinPolicy?, Bool)] = [
    (.enforce, .enforce, .report, true), (.enforce, nil, .report, true),
    (.report, .enforce, nil, true), (.report, .enforce, .report, true),
    (.report, nil, .report, false), (.enforce, .report, .report, false),
    (.enforce, .report, .enforce, false), (.enforce, .enforce, nil, false),
  ]

  @Test("to report is weaker than to enforce, whoever says so", arguments: profiles)
  func policy(profile: PinPolicy, old: PinPolicy?, new: PinPolicy?, isWeaker: Bool) throws {
    let found = try Self.set(new).weakenings(since: try Self.set(old), policy: profile)
    #expect(found == (isWeaker ? [.policy] : []))
  }

  @Test("a host without pins is refused under enforce, so that to report is weaker")
  func unpinned() throws {
    #expect(try Self.set(.report).weakenings(since: nil, policy: .enforce) == [.policy])
    #expect(try Self.set(nil).weakenings(since: nil, policy: .enforce) == [])
    #expect(try Self.set(.report).weakenings(since: nil, policy: .report) == [])
    #expect(try Self.set(expires: 9).weakenings(since: nil, policy: .enforce) == [])
  }

  @Test(
    "a later end is weaker, and none is the latest",
    arguments: [(5, 6, true), (5, nil, true), (5, 5, false), (5, 4, false), (nil, 5, false)]
      as [(Int64?, Int64?, Bool)])
  func expiry(old: Int64?, new: Int64?, isWeaker: Bool) throws {
    let found = try Self.set(expires: new).weakenings(
      since: try Self.set(expires: old), policy: .enforce)
    #expect(found == (isWeaker ? [.expires] : []))
  }
}
