import Primitives
import Testing

@testable import Pinning

@Suite("Weaker pins")
struct PinWeakeningTests {
  private static func set(
    _ policy: PinPolicy? = nil, expires: Int64? = nil, reports: [String] = []
  ) throws -> PinSet {
    PinSet(
      try #require(PinPattern("a.test")), expires: expires.map { Timestamp($0) }, policy: policy,
      reportURIs: reports, keys: [PinSetsTests.key(1)])
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

  @Test("other addresses of reports are weaker, also for a new host")
  func reports() throws {
    let (one, two) = (["https://one.test"], ["https://two.test"])
    func found(_ old: [String]?, _ new: [String]) throws -> [PinWeakening] {
      try Self.set(reports: new).weakenings(
        since: try old.map { try Self.set(reports: $0) }, policy: .enforce)
    }
    #expect(try found(one, one) == [])
    #expect(try found(one, two) == [.reportURIs])
    #expect(try found(one, one + two) == [.reportURIs])
    #expect(try found(one, []) == [.reportURIs])
    #expect(try found(nil, one) == [.reportURIs])
    #expect(try found(nil, []) == [])
  }
}
