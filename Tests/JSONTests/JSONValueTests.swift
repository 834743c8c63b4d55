import JSON
import Testing

@Suite struct JSONValueTests {
  @Test(
    arguments: [
      ("1", 1, 1.0), ("1.0", 1, 1), ("1.5", nil, 1.5), ("1e3", 1000, 1000), ("1e400", nil, nil),
      ("9223372036854775807", Int64.max, 9.223372036854775807e18), ("1e17", nil, 1e17),
    ] as [(String, Int64?, Double?)]) func readsNumbers(
      text: String, int: Int64?, double: Double?
    ) throws
  {
    let value = try JSON(parsing: text)
    #expect(value.int == int)
    #expect(value.double == double)
    #expect(value.serialized() == text)
  }

  @Test func writesSortedAndEscaped() {
    let value: JSON = ["b": [1, "x\u{1b}\u{9b}\"\\"], "a": nil, "é": [:], "c": []]
    #expect(value.serialized() == #"{"a":null,"b":[1,"x\u001b\u009b\"\\"],"c":[],"é":{}}"#)
    #expect(
      JSON.object(["a": [1, ["b": true]]]).serialized(.pretty) == """
        {
          "a": [
            1,
            {
              "b": true
            }
          ]
        }
        """)
  }

  @Test func setsMembers() {
    var value: JSON = ["a": 1]
    value["b"] = "x"
    value["a"] = nil
    #expect(value == ["b": "x"])
    #expect(value["b"]?.string == "x")
    #expect(value["none"] == nil)
    #expect(JSON.strings(["a", "b"]).strings == ["a", "b"])
    #expect(JSON.array(["a", 1]).strings == nil)
    #expect(JSON.members(["a": 1, "b": nil]) == ["a": 1])
  }
}

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
    "2026-11-21x01:02:03Z", "2026-11-21T01:02:03+1:00", "x026-11-21",
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
}
