import TestSupport

@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("null", JSON.null), ("true", true), ("false", false), (" 12 ", 12),
      ("-0", JSON.number(n("-0"))),
      ("1.50e+2", JSON.number(n("1.50e+2"))), ("\"\"", ""),
      (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz"),
      (#""\u00e9\uD83D\uDE00""#, "é😀"), ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]),
      (#"{"a":{"b":[null]}}"#, ["a": ["b": [.null]]]),
    ] as [(String, JSON)]) func readsAValue(text: String, expected: JSON) throws
  {
    #expect(try JSON(parsing: text) == expected)
  }

  @Test(arguments: [
    ("", "unexpected end of the document", 1, 1), ("{", "expected a member name", 1, 2),
    ("{\n  \"a\" 1}", "expected ':' after the member name", 2, 7),
    ("[1,]", "unexpected character", 1, 4), ("[1 2]", "expected ',' or ']'", 1, 4),
    ("{\"a\":1,\n\"a\":2}", "repeated member name", 2, 1),
    ("01", "unexpected text after the value", 1, 2),
    ("1.", "expected a digit", 1, 3), ("1e", "expected a digit", 1, 3),
    ("-", "expected a digit", 1, 2),
    ("\"abc", "unfinished string", 1, 1), ("\"\u{1}\"", "control character in a string", 1, 2),
    (#""\x""#, "unknown escape", 1, 2), (#""\u12"#, "escape without four hexadecimal digits", 1, 2),
    (#""\uD800""#, "lone surrogate", 1, 2), (#""\uDC00""#, "lone surrogate", 1, 2),
    ("tru", "unexpected character", 1, 1), ("{} x", "unexpected text after the value", 1, 4),
    ("{'a':1}", "expected a member name", 1, 2),
  ]) func saysWhatIsWrongAndWhere(text: String, message: String, line: Int, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(error?.message == message)
    #expect(error?.line == line)
    #expect(error?.column == column)
  }
}

private func n(_ text: String) -> JSONNumber {
  guard case .number(let number) = try? JSON(parsing: text) else { return JSONNumber(0) }
  return number
}
