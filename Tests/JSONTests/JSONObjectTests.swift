import TestSupport

@Suite("The members of an object")
struct JSONObjectTests {
  @Test(
    "are found by the bytes of their names",
    arguments: [("K", "\u{212A}"), ("é", "e\u{301}"), (";", "\u{37E}"), ("a", "A"), ("a", "a\0")])
  func bytes(name: String, other: String) throws {
    let document = try JSON(parsing: "{\"\(name)\":1,\"x\":2}")
    #expect(document[name] == 1)
    #expect(document[other.filter { $0 != "\0" } == name ? "a\0" : other] == nil)
    var changed = document
    changed[other] = 3
    #expect(changed[name] == 1)
    #expect(changed[other] == 3)
    #expect(changed.object?.count == 3)
    changed[other] = nil
    #expect(changed == document)
  }

  @Test("with canonically equivalent names are two members, and both are kept")
  func equivalent() throws {
    let text = "{\"e\u{301}\":1,\"é\":2}"
    let document = try JSON(parsing: text)
    #expect(document.object?.count == 2)
    #expect(Array(document.serialized().utf8) == Array(text.utf8))
  }

  @Test("are compared by bytes, and so are strings")
  func equality() {
    #expect(JSON.string("K") != .string("\u{212A}"))
    #expect(JSON.string("é") != .string("e\u{301}"))
    #expect(JSON.array(["é"]) != .array(["e\u{301}"]))
    #expect(JSON.object(["é": 1]) != .object(["e\u{301}": 1]))
    #expect(JSON.object(["a": "é"]) != .object(["a": "e\u{301}"]))
    #expect(Set([JSON.string("é"), .string("e\u{301}"), .string("é")]).count == 2)
    #expect(JSON.string("1") != 1)
    #expect(JSON.null != false)
    #expect(JSON.object(["a": [1, .null]]) == .object(["a": [1, .null]]))
    #expect(JSON.object(["a": 1]).hashValue == JSON.object(["a": 1]).hashValue)
  }

  @Test("are added, replaced, removed, filtered and merged")
  func changes() {
    var object: JSONObject = ["b": 2, "a": 1, "a": 3]
    #expect(object.count == 2)
    #expect(object["a"] == 3)
    #expect(object.updateValue(4, forKey: "a") == 3)
    #expect(object.updateValue(5, forKey: "c") == nil)
    #expect(object.sorted.map(\.key) == ["a", "b", "c"])
    #expect(object.sorted.map(\.value) == [4, 2, 5])
    #expect(Set(object.keys) == ["a", "b", "c"])
    #expect(Set(object.values) == [2, 4, 5])
    #expect(object.filter { $0.key != "a" } == ["b": 2, "c": 5])
    #expect(object.merging(["a": 9, "d": 6]) { $1 } == ["a": 9, "b": 2, "c": 5, "d": 6])
    #expect(object.merging(["a": 9]) { old, _ in old } == object)
    object.merge(["b": 7]) { $1 }
    object["c"] = nil
    #expect(object == ["a": 4, "b": 7])
    #expect(
      Dictionary(uniqueKeysWithValues: object.map { ($0.key, $0.value) }) == ["a": 4, "b": 7])
    #expect(JSONObject([("x", 1), ("x", 2)]) == ["x": 2])
    #expect(JSONObject(present: ["x": 1, "y": nil]) == ["x": 1])
    #expect(JSONObject().isEmpty)
  }

  @Test("are written in the order of their bytes")
  func order() {
    let object: JSON = [
      "é": 1, "z": 2, "Z": 3, "": 4, "e\u{301}": 5, "\u{10000}": 6, "\u{FFFD}": 7,
    ]
    #expect(
      Array(object.serialized().utf8)
        == Array(
          "{\"\":4,\"Z\":3,\"e\u{301}\":5,\"z\":2,\"é\":1,\"\u{FFFD}\":7,\"\u{10000}\":6}".utf8))
  }
}

@Suite("What a document is written as")
struct JSONWriterTests {
  @Test(
    "escapes whatever acts on a terminal, as RFC 8259 does, in values and names",
    arguments: [
      ("\u{200F}", #"\u200f"#), ("\u{202E}a\u{202C}", #"\u202ea\u202c"#), ("\u{2066}", #"\u2066"#),
      ("\u{61C}", #"\u061c"#), ("\u{1B}\u{9B}\u{7F}", #"\u001b\u009b\u007f"#),
      ("\u{2028}\u{2029}", #"\u2028\u2029"#), ("\u{FEFF}", #"\ufeff"#), ("\0", #"\u0000"#),
      ("\u{E0041}", #"\udb40\udc41"#), ("\r\n\t", #"\r\n\t"#), ("\"\\/", #"\"\\/"#),
      ("é€😀 عربي עברית", "é€😀 عربي עברית"), ("\u{200D}", "\u{200D}"), ("e\u{301}", "e\u{301}"),
    ])
  func escapes(text: String, written: String) throws {
    #expect(JSON.string(text).serialized() == "\"\(written)\"")
    let object = JSON.object(JSONObject([(text, .null)]))
    #expect(object.serialized() == "{\"\(written)\":null}")
    #expect(try JSON(parsing: object.serialized()) == object)
    #expect(try JSON(parsing: object.serialized(.pretty)) == object)
  }

  @Test("is valid JSON for every character that acts, and shows none of them")
  func everyScalar() throws {
    let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap { Unicode.Scalar($0) }
      .filter { $0.value < 0x3000 || $0.value > 0xE0000 && $0.value < 0xE0100 }
    var text = ""
    for scalar in scalars { text.unicodeScalars.append(scalar) }
    let written = JSON.string(text).serialized()
    #expect(try JSON(parsing: written) == .string(text))
    let shown = written.unicodeScalars.filter {
      $0.properties.generalCategory == .control || $0.properties.isBidiControl
    }
    #expect(shown.isEmpty)
  }

  @Test("keeps the spelling of numbers")
  func numbers() throws {
    for text in ["0", "-0", "1.50", "1e400", "-1E+05", "12345678901234567890"] {
      #expect(try JSON(parsing: text).serialized() == text)
    }
    #expect(JSON.int(Int64.min).serialized() == "-9223372036854775808")
  }

  @Test("has line breaks and indentation on request")
  func layout() {
    let value: JSON = ["a": [], "b": [:], "c": [1, ["d": .null]]]
    #expect(value.serialized() == #"{"a":[],"b":{},"c":[1,{"d":null}]}"#)
    #expect(
      value.serialized(.pretty) == """
        {
          "a": [],
          "b": {},
          "c": [
            1,
            {
              "d": null
            }
          ]
        }
        """)
  }
}
