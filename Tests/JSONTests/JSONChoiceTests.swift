import TestSupport

/// RFC 8259 leaves these to an implementation: this parser is strict if two readers could take
/// two values from one document, and lenient about sizes of numbers, which keep their spelling.
@Suite("Documents that RFC 8259 leaves to the parser")
struct JSONChoiceTests {
  @Test(
    "are accepted, and written as they were, if only a number is large",
    arguments: [
      "[123e45]", "[0.4e00669999999999999999]", "[-1e+9999]", "[1.5e+9999]", "[-123123e100000]",
      "[123123e100000]", "[123e-10000000]", "[-123123123123123123123123123123]",
      "[100000000000000000000]", "[-237462374673276894279832749832423479823246327846]",
    ])
  func largeNumbers(text: String) throws {
    #expect(try JSON(parsing: text).serialized() == text)
  }

  @Test(
    "are refused if a string has half a surrogate pair, at the place of the escape",
    arguments: [
      (#"["\uDADA"]"#, 3), (#"["\uD888\u1234"]"#, 3), (#"["\uD800\n"]"#, 3), (#"["\uDd1ea"]"#, 3),
      (#"["\uD800\uD800\n"]"#, 3), (#"["\ud800"]"#, 3), (#"["\ud800abc"]"#, 3), (#"["\uDFAA"]"#, 3),
      (#"["\uDd1e\uD834"]"#, 3), (#"{"\uDFAA":0}"#, 3), (#"["ab\uD83D"]"#, 5), (#""\uDBFF""#, 2),
    ])
  func halfPairs(text: String, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(error?.message == "lone surrogate")
    #expect(error?.column == column)
  }

  @Test("are refused if names are repeated, also by escapes, and in every depth")
  func repeated() {
    for text in [
      #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":null}"#, #"{"":1,"":2}"#, #"{"a":1,"\u0061":2}"#,
      #"{"\u00e9":1,"é":2}"#, #"{"\/":1,"/":2}"#, #"{"\ud83d\ude00":1,"😀":2}"#,
      #"[{"x":{"a":1,"a":2}}]"#, #"{"a\n":1,"a\u000A":2}"#,
    ] {
      let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
      #expect(error?.message == "repeated member name")
    }
  }

  @Test("are refused beyond the maximum depth, whether they end or not")
  func depth() throws {
    func nested(_ count: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: count) + String(repeating: close, count: count)
    }
    for text in [
      nested(500, "[", "]"), nested(100_000, "[", ""), nested(50_000, #"[{"":"#, ""),
      nested(50_000, #"{"a":"#, "}"), nested(65, "[", "]"), nested(33, #"[{"":"#, "}]"),
    ] {
      let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
      #expect(error?.message == "nested deeper than 64 levels")
    }
    #expect(try JSON(parsing: nested(64, "[", "]")).array?.count == 1)
    #expect(try JSON(parsing: nested(500, "[", "]"), maximumDepth: 500).array?.count == 1)
    #expect(throws: JSONError.self) { try JSON(parsing: "[]", maximumDepth: 0) }
  }

  @Test(
    "are refused in every encoding but UTF-8",
    arguments: [
      [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0x7B, 0x7D],
      [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], [0xFE, 0xFF, 0x00, 0x5B, 0x00, 0x5D],
      [0x5B, 0x00, 0x22, 0x00, 0xE9, 0x00, 0x22, 0x00, 0x5D, 0x00],
      [0x00, 0x5B, 0x00, 0x22, 0x00, 0xE9, 0x00, 0x22, 0x00, 0x5D],
      [0x5B, 0x00, 0x00, 0x00, 0x5D, 0x00, 0x00, 0x00], [0xE5], [0xE9],
      [0x5B, 0x22, 0xE9, 0x22, 0x5D], [0x2B, 0x2F, 0x76, 0x38, 0x2D],
    ] as [[UInt8]])
  func encodings(bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
  }

  @Test(
    "are refused if bytes are not UTF-8, at the start of the string or at the byte",
    arguments: [
      ("[\"", [0xFF], "\"]", "text that is not UTF-8", 2),
      ("[\"a", [0xED, 0xA0, 0x80], "\"]", "text that is not UTF-8", 2),
      ("[\"\\n", [0x81], "\"]", "text that is not UTF-8", 2),
      ("{\"", [0xB9], "\":\"0\",}", "text that is not UTF-8", 2),
      ("[\"\\", [0xE5], "\"]", "unknown escape", 3),
      ("[\"\\u", [0xE5], "\"]", "escape without four hexadecimal digits", 3),
      ("[\"\\u00", [0xE5, 0xE5], "\"]", "escape without four hexadecimal digits", 3),
      ("[", [0xFF], "]", "unexpected character", 2),
      ("[1", [0xE5], "]", "expected ',' or ']'", 3),
      ("[-", [0xE5], "]", "expected a digit", 3),
      ("[1.", [0xE5], "]", "expected a digit", 4),
      ("[1e1", [0xE5], "]", "expected ',' or ']'", 5),
      ("[1e", [0xE5], "]", "expected a digit", 4),
      ("[0e+", [0xFF], "]", "expected a digit", 5),
    ] as [(String, [UInt8], String, String, Int)])
  func invalidBytes(before: String, bytes: [UInt8], after: String, message: String, column: Int) {
    let document = Array(before.utf8) + bytes + Array(after.utf8)
    let error = #expect(throws: JSONError.self) { try JSON(parsing: document) }
    #expect(error?.message == message)
    #expect(error?.column == column)
  }

  @Test("never appear in the message of an error")
  func messages() {
    for text in [
      "[\"secret\u{1}\"]", "{\"secret\" 1}", "{secret}", "\"secret", "secret", "[\"s\\x\"]",
    ] {
      let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
      #expect(error?.description.contains("secret") == false)
    }
  }

  @Test("are accepted or refused in full at every length")
  func prefixes() throws {
    let text = Array(#"{"a":[1.5e2,"x\u00e9😀",true,null,{"b":""}]}"#.utf8)
    #expect(throws: Never.self) { try JSON(parsing: text) }
    for count in text.indices {
      #expect(throws: JSONError.self) { try JSON(parsing: Array(text[..<count])) }
      #expect(throws: JSONError.self) { try JSON(parsing: Array(text[(count + 1)...])) }
    }
  }
}
