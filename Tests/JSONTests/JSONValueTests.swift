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
