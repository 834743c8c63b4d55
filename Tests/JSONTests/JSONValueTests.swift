import TestSupport

@Suite struct JSONValueTests {
  @Test func makesPaths() {
    let long = String(repeating: "ä", count: 1001)
    let cut = String(repeating: "ä", count: 1000) + "…"
    #expect(JSON.path("", "a") == "a")
    #expect(JSON.path("a", "b.c") == "a.b.c")
    #expect(JSON.path("", long) == cut)
    #expect(JSON.path(cut, "a") == cut)
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

  /// Which accessors return a value, as letters: string, int, double, bool, array, object, strings.
  @Test(
    "Each accessor returns a value of its own kind only",
    arguments: [
      ("null", "null", ""), ("true", "a boolean", "b"), ("0", "a number", "id"),
      ("1.5", "a number", "d"), ("\"1\"", "a string", "s"), ("\"true\"", "a string", "s"),
      ("[]", "an array", "at"), ("[\"a\"]", "an array", "at"), ("[\"a\",1]", "an array", "a"),
      ("[null]", "an array", "a"), ("{}", "an object", "o"), ("{\"a\":1}", "an object", "o"),
    ]) func readsItsKind(text: String, kind: String, accessors: String) throws
  {
    let value = try JSON(parsing: text)
    var found = ""
    if value.string != nil { found += "s" }
    if value.int != nil { found += "i" }
    if value.double != nil { found += "d" }
    if value.bool != nil { found += "b" }
    if value.array != nil { found += "a" }
    if value.object != nil { found += "o" }
    if value.strings != nil { found += "t" }
    #expect(found == accessors)
    #expect(value.kind == kind)
    #expect((value.time != nil) == (value.int != nil))
    #expect(value["a"] == (text == "{\"a\":1}" ? 1 : nil))
  }

  @Test("A member set on another value makes an object of it", arguments: [JSON.null, 1, "x", []])
  func setsMemberOfAnother(value: JSON) {
    var value = value
    value["a"] = 1
    #expect(value == ["a": 1])
  }

  @Test("Equal values have equal hashes, and values of two kinds are different")
  func hashes() {
    let values: [JSON] = [.null, true, false, 0, 1, "", "0", "1", [], [.null], [0], [:], ["a": 0]]
    for (index, value) in values.enumerated() {
      #expect(values.firstIndex(of: value) == index)
      #expect(Set(values).contains(value))
    }
    #expect(Set(values + values).count == values.count)
  }
}
