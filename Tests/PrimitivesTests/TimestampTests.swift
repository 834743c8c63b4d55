import TestSupport

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-21T01:02:03Z", 1_795_222_923),
    ("2000-02-29", 951_782_400),
    ("2026-11-21T01:02:03.999+01:00", 1_795_219_323), ("1969-12-31T23:59:59Z", -1),
    ("2026-11-21t01:02:03-00:30", 1_795_224_723), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ]) func reads(text: String, seconds: Int64) {
    #expect(Timestamp(text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "2026", "2026-13-01", "2026-02-29", "2026-11-21T", "2026-11-21T25:00:00Z",
    "2026-11-21T01:02:03",
    "2026-11x21", "2026-11-21x01:02:03Z", "2026-11-21T01:02:03+1:00", "x026-11-21",
    "2026-11-21T01:02:03+01X00", "2026-11-21T01:02:03+01000", "2026-11-21T01:02:03-0100",
  ]) func refuses(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (-1, "1969-12-31T23:59:59Z"),
    (1_795_222_923, "2026-11-21T01:02:03Z"), (Int64.max, "9999-12-31T23:59:59Z"),
    (Int64.min, "0001-01-01T00:00:00Z"),
  ]) func writes(seconds: Int64, text: String) {
    #expect(Timestamp(seconds).description == text)
    #expect(Timestamp(seconds).date == String(text.prefix(10)))
  }

  @Test(
    "writes the date alone",
    arguments: [
      (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"),
      (1_767_225_599, "2025-12-31"), (1_767_225_600, "2026-01-01"), (4_102_444_800, "2100-01-01"),
      (-62_135_596_800, "0001-01-01"), (253_402_300_799, "9999-12-31"),
    ] as [(Int64, String)])
  func writesDate(seconds: Int64, text: String) {
    #expect(Timestamp(seconds).date == text)
  }
}
