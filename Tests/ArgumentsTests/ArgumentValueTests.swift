import TestSupport

@testable import Arguments

@Suite struct ArgumentValueTests {
  @Test(
    "durations",
    arguments: [
      ("0", .zero), ("90", .seconds(90)), ("90s", .seconds(90)), ("1.5", .milliseconds(1500)),
      ("250ms", .milliseconds(250)), ("5m", .seconds(300)), ("2h", .seconds(7200)),
      ("1d", .seconds(86400)), ("2w", .seconds(1_209_600)), ("0.000000001", .nanoseconds(1)),
    ] as [(String, Duration)])
  func duration(text: String, expected: Duration) throws {
    #expect(try Duration.reading(text) == expected)
  }

  @Test(
    "other texts are not durations",
    arguments: [
      "", "-1", "+1", "1.", ".5", "1.2.3", "s", "1x", "1 s", " 1", "1e3", "١", "1.0000000001",
      "0x10", "inf", "nan",
    ])
  func noDuration(text: String) {
    #expect(throws: ValueError("not a time span such as 30, 1.5, 250ms, 5m or 2h")) {
      try Duration.reading(text)
    }
  }

  @Test(
    "a duration is at most a hundred years",
    arguments: ["99999999999d", "3155760001", "9223372036854775807d", "99999999999999999999"])
  func tooLong(text: String) {
    #expect(throws: ValueError("longer than a hundred years")) { try Duration.reading(text) }
  }

  @Test(
    "a time span has a unit",
    arguments: [
      ("30", "a unit is missing: 30d are days, 30w weeks, 30h hours"),
      ("99999d", "longer than a hundred years"),
      ("1.5.d", "not a time span such as 12h, 30d or 2w"),
      ("", "not a time span such as 12h, 30d or 2w"),
      ("30x", "not a time span such as 12h, 30d or 2w"),
    ])
  func noTimeSpan(text: String, reason: String) {
    #expect(throws: ValueError(reason)) { try TimeSpan.reading(text) }
  }

  @Test(
    "whole numbers",
    arguments: [
      ("0", 0), ("-0", 0), ("007", 7), ("-9223372036854775808", Int64.min),
      ("9223372036854775807", Int64.max),
    ] as [(String, Int64)])
  func number(text: String, expected: Int64) throws {
    #expect(try Int64.reading(text) == expected)
    #expect(try Int64?.reading(text) == expected)
  }

  @Test(
    "other texts are not whole numbers",
    arguments: [
      ("", "not a whole number"), ("-", "not a whole number"), ("1.0", "not a whole number"),
      ("1_000", "not a whole number"), ("--1", "not a whole number"),
      ("99999999999999999999", "out of range (-9223372036854775808 to 9223372036854775807)"),
    ])
  func noNumber(text: String, reason: String) {
    #expect(throws: ValueError(reason)) { try Int64.reading(text) }
  }
}
