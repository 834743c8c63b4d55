import CoreTestSupport

@testable import SDKCore

@Suite("The time of renewal")
struct RenewalWindowTests {
  @Test(
    "is read as a time or as a part of the validity",
    arguments: [
      ("30d", .before(seconds: 2_592_000)), ("12h", .before(seconds: 43_200)),
      ("90m", .before(seconds: 5400)), ("1s", .before(seconds: 1)),
      ("1.5d", .before(seconds: 129_600)),
      ("2w", .before(seconds: 1_209_600)), ("0d", .before(seconds: 0)), ("75%", .percent(75)),
      ("1%", .percent(1)), ("100%", .percent(100)), ("0%", nil), ("101%", nil), ("", nil),
      ("d", nil), ("30", nil), ("-1d", nil), ("+1d", nil), ("30 d", nil),
      ("99999999999999d", nil), ("9223372036854775807w", nil), ("%", nil), ("+5%", nil),
    ] as [(String, RenewalWindow?)])
  func reading(text: String, window: RenewalWindow?) {
    #expect(RenewalWindow(text) == window)
  }

  /// Valid from an hour before now, for 25 hours.
  @Test(
    "makes an identity due to the second",
    arguments: [
      (.before(seconds: 3600), 82_799, .good), (.before(seconds: 3600), 82_800, .due),
      (.percent(50), 41_399, .good), (.percent(50), 41_400, .due), (.percent(100), 86_399, .good),
      (.percent(100), 86_400, .due), (.percent(1), 86_401, .expired),
      (.percent(1), -3601, .notYetValid),
      (.percent(50), -3600, .good),
    ] as [(RenewalWindow, Int64, IdentityCondition)])
  func condition(window: RenewalWindow, seconds: Int64, condition: IdentityCondition) throws {
    let identity = try TestIdentity.make("a", hosts: [])
    #expect(
      identity.condition(at: TestIdentity.now + seconds, window) == condition)
  }
}
