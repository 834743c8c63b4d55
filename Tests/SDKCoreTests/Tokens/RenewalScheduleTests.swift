import CoreTestSupport

@testable import SDKCore

@Suite("The schedule of renewals")
struct RenewalScheduleTests {
  private static let now: Timestamp = 1_800_000_000

  @Test(
    "renews at a random time of the minute before the margin, or at half of a short life",
    arguments: [
      (3600, 30, 3510...3570), (3600, 600, 2940...3000), (180, 30, 90...150),
      (179, 30, 67...89), (600, 600, 240...300), (10, 30, 4...5), (2, 30, 1...1),
      (1, 30, 1...1), (Int64(3600), Int64(-5), Int64(3540)...3600),
    ] as [(Int64, Int64, ClosedRange<Int64>)])
  func renewal(lifetime: Int64, margin: Int64, expected: ClosedRange<Int64>) {
    var seen: Set<Int64> = []
    for _ in 1...300 {
      var schedule = RenewalSchedule(minimumLifetime: margin)
      let time = schedule.renewal(of: Self.now + lifetime, at: Self.now)
      let wait = time?.seconds(since: Self.now) ?? 0
      #expect(expected.contains(wait), "\(wait)")
      seen.insert(wait)
    }
    #expect(seen.count > 1 || expected.count == 1)
  }

  @Test("has no time for a token that does not expire")
  func endless() {
    var schedule = RenewalSchedule()
    #expect(schedule.renewal(of: nil, at: Self.now) == nil)
  }

  @Test("waits longer after each failure, at most five minutes, and begins again after a success")
  func failures() {
    var schedule = RenewalSchedule()
    for count in 0..<80 {
      let pause: Int64 = count < 9 ? 1 << Int64(count) : 300
      let wait = schedule.renewal(afterFailureAt: Self.now).seconds(since: Self.now)
      #expect((max(1, pause / 2)...pause).contains(wait), "\(count): \(wait)")
    }
    #expect(schedule.failures == 80)
    _ = schedule.renewal(of: nil, at: Self.now)
    #expect(schedule.failures == 0)
    _ = schedule.renewal(afterFailureAt: Self.now)
    _ = schedule.renewal(of: Self.now + 60, at: Self.now)
    #expect(schedule.failures == 0)
  }

  @Test("takes a token that has expired for a failure", arguments: [0, -5] as [Int64])
  func expired(lifetime: Int64) {
    var schedule = RenewalSchedule()
    for count in 1...3 {
      _ = schedule.renewal(of: Self.now + lifetime, at: Self.now)
      #expect(schedule.failures == count)
    }
  }
}
