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

  @Test func refusesIllFormedUTF8() {
    #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) }
  }

  @Test func boundsTheDepth() throws {
    let nest = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSON(parsing: nest(64)) }
    #expect(throws: JSONError.self) { try JSON(parsing: nest(65)) }
    #expect(throws: JSONError.self) { try JSON(parsing: nest(1_000_000)) }
  }

  @Test func neverTrapsOnMutatedDocuments() throws {
    let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\n"],"b":{"c":null,"d":true}}"#.utf8)
    var random = Dice(state: 7)
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        bytes = random.mutated(bytes)
      }
      guard let value = try? JSON(parsing: bytes) else { continue }
      #expect(try JSON(parsing: value.serialized()) == value)
      #expect(try JSON(parsing: value.serialized(.pretty)) == value)
    }
  }
}

private func n(_ text: String) -> JSONNumber {
  guard case .number(let number) = try? JSON(parsing: text) else { return JSONNumber(0) }
  return number
}
