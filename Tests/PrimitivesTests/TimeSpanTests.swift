import TestSupport

@Suite struct TimeSpanTests {
  @Test(arguments: [
    ("0", 0), ("0d", 0), ("90s", 90), ("5m", 300), ("12h", 43_200), ("30d", 2_592_000),
    ("2w", 1_209_600), ("36525d", 3_155_760_000), ("007d", 604_800), ("1.5d", 129_600),
    ("2500ms", 2),
  ]) func reads(text: String, seconds: Int64) throws {
    #expect(try TimeSpan(text).seconds == seconds)
  }

  @Test(
    arguments: [
      ("30", .withoutUnit), ("36526d", .tooLong), ("99999999999999999999w", .tooLong),
      ("", .malformed), ("d", .malformed), ("-1d", .malformed), ("+1d", .malformed),
      ("30 d", .malformed), ("30D", .malformed), ("٣d", .malformed),
    ] as [(String, TimeSpan.Mistake)])
  func refuses(text: String, mistake: TimeSpan.Mistake) {
    #expect(throws: mistake) { try TimeSpan(text) }
  }
}
