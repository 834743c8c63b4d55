import TestSupport

/// Documents in the manner of the suites for RFC 8259: each is text that a parser must take, or
/// must refuse.
@Suite("The grammar of JSON")
struct JSONGrammarTests {
  @Test(
    "accepts every form of a value",
    arguments: [
      // Structure and white space.
      "[]", "{}", "[[]]", "[[[[[]]]]]", "[{}]", #"{"":0}"#, #"{"":{"":{}}}"#, " [ ] ", "[\n]",
      "\t[\r\n1\t,\n2 ]\r", #"{ "a" : 1 , "b" : [ ] }"#, "[null,true,false]", "  null", "true\n",
      #"{"a":[],"A":[]}"#, #"{"a":1,"a ":2,"a\u0000":3}"#, "\"lone\"", "0", "-1", "[\"a\",1,{}]",
      // Numbers.
      "[0]", "[-0]", "[0.0]", "[-0.0]", "[0e0]", "[0e1]", "[0E+1]", "[1e-2]", "[1E22]", "[1.5e+9]",
      "[123.456e78]", "[1e400]", "[-1e-400]", "[100000000000000000000]", "[0.1e1]", "[20e1]",
      "[-9223372036854775808]", "[0.00000000000000000000000000000000000001]", "[1]", "[10]",
      // Strings.
      #"[""]"#, #"["\u0060\u012a\u12AB"]"#, #"["\uD801\udc37"]"#, #"["\ud83d\ude39\ud83d\udc8d"]"#,
      #"["\"\\\/\b\f\n\r\t"]"#, #"["\\u0000"]"#, #"["\""]"#, #"["a/*b*/c/*d//e"]"#, #"["\\a"]"#,
      #"["\u0012"]"#, #"["\uFFFF"]"#, #"["\uDBFF\uDFFF"]"#, #"["\u00A0"]"#, "[\"\u{7F}\"]",
      "[\"€𝄞\"]", "[\"\u{2028}\u{2029}\"]", "[\"\u{FFFF}\"]", "[\"\u{10FFFF}\"]", #"["\u0000"]"#,
      #"["\u2028"]"#, "[\"\u{FEFF}\"]", "[\"asd \"]", #"["\uFDD0\uFFFE"]"#, "[\"e\u{301}\"]",
    ])
  func taken(text: String) throws {
    let value = try JSON(parsing: text)
    #expect(try JSON(parsing: value.serialized()) == value)
    #expect(try JSON(parsing: value.serialized(.pretty)) == value)
  }

  @Test(
    "refuses everything else",
    arguments: [
      // Structure.
      "", " ", "[", "]", "{", "}", "[1", "[1,", "[,1]", "[1,,2]", "[1,]", "[\"\",]", "[1:2]",
      "[1 true]", "[\"a\" \"b\"]", "[]]", "[1]x", "[1],", "[}", "{]", "[{]", "[{}", "1,2", "[][]",
      "[a]", "[\"a\",\n4\n,1,", "[*]", "<.>", "[<null>]", "[,]", "[   , \"\"]", "[\u{0B}1]",
      "[\u{0C}]", "[3[4]]", "[1}", "[\"x\"}", "é", "*", "[\n", "[-x]", "[1]]", "[#]", "[\u{A0}1]",
      "[\u{2060}]", "[]\u{FEFF}", "[]\0", "\0", "[1]\u{0}",
      // Objects.
      #"{"a"}"#, #"{"a":}"#, #"{:1}"#, #"{,}"#, #"{"a":1,}"#, #"{"a":1,,"b":2}"#, #"{"a" "b"}"#,
      #"{"a":"b"}/**/"#, #"{"a":"b"}//"#, #"{"a":"b"}#"#, #"{a:1}"#, #"{'a':1}"#, #"{1:1}"#,
      #"{null:1}"#, #"{"a":1 "b":2}"#, #"{"a"::1}"#, #"{"a",1}"#, #"{"a":1;"b":2}"#,
      #"{"a":/*x*/1}"#,
      #"{"x","y":1}"#, #"{[:"x"}"#, #"{"a":1}}"#, #"{"a":"#, #"{"a"#, #"{""#,
      #"{9999E9999:1}"#, #"{null:null,null:null}"#, "{🇨🇭}", #"{"a":"b",,}"#, #"{"a":"b"}/*"#,
      #"{"a":"b"}/"#,
      #"{"a":true} "x""#, #"{"a":1]"#, #"{"a":"b",c:"d"}"#, #"{true}"#, #"{"a":[}"#, #"{"a":"b"#,
      #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"b":{"a":1,"a":2}}"#,
      // Literals.
      "nul", "nulll", "tru", "truee", "fals", "TRUE", "Null", "True", "undefined", "NaN", "[nan]",
      "Infinity", "[-Infinity]", "[Inf]", "nul\u{6C}\u{301}",
      // Numbers.
      "[+1]", "[++1]", "[01]", "[-01]", "[-]", "[- 1]", "[--1]", "[1.]", "[.1]", "[-.1]", "[1.e1]",
      "[0.e1]", "[1e]", "[1e+]", "[1E-]", "[1e 1]", "[1.2.3]", "[0x1]", "[1_000]", "[1e1.5]",
      "[1eE2]", "[9.e+]", "[0.3e]", "[2.e3]", "[1 000]", "[1+2]", "[-a]", "[1a]", "[1,5e]",
      "[\u{661}]", "[1\u{301}]", "[\u{FF11}]", "[0e+-1]", "[012]", "[-2.]", "[-1.0.]",
      "[.-1]", "[.2e-3]", "[-NaN]", "[+Inf]", "[0.3e+]", "[1.0e]", "[1.0e-]", "[2.e-3]", "[1ea]",
      "-",
      "[0x42]", "[-012]", "[1 e1]", "[1.\u{301}0]", "2@", "00", "[1e1\u{301}]", "[-.123]",
      "[0.1.2]",
      // Strings.
      "[\"", "[\"a", "\"a", "['a']", "[\"\\\"]", "[\"\\x00\"]", "[\"\\a\"]", "[\"\\'\"]",
      "[\"\\0\"]", "[\"\\U0041\"]", "[\"\\u\"]", "[\"\\u1\"]", "[\"\\u00A\"]", "[\"\\u00G0\"]",
      "[\"\\u-123\"]", "[\"\\u+041\"]", "[\"\\u 041\"]", "[\"\\\u{1F600}\"]", "[\"\\ud800\"]",
      "[\"\\uDFAA\"]", "[\"\\uD888\\u1234\"]", "[\"\\uD800\\uD800\\n\"]", "[\"\\uD800\\\"]",
      "[\"\\uD800\\u\"]", "[\"\\uD800\\u1\"]", "[\"\\uD800\\u1x\"]", "[\"\\uD800abc\"]",
      "[\"\\uDd1e\\uD834\"]", "[\"\t\"]", "[\"\n\"]", "[\"\r\"]", "[\"\0\"]", "[\"\u{1F}\"]",
      "[\"a\u{0}a\"]", "\"\\u{41}\"", "\u{201C}a\u{201D}", "[\"\\", "[\"\\u00",
      "[\\u0020\"a\"]", "[\\n]", "\\u000A\"\"", "[\"\\\\\\\"]", "abc", "[\"a\"", "\"\\\u{9}\"",
    ])
  func refused(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test(
    "refuses bytes that are not UTF-8, wherever they are",
    arguments: [
      [0xFF], [0x80], [0xC0, 0xAF], [0xC1, 0x81], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88],
      [0xE2, 0x82], [0xC3], [0xE9], [0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    let quote = [UInt8(ascii: "\"")]
    for document in [quote + bytes + quote, bytes, Array("[1]".utf8) + bytes] {
      #expect(throws: JSONError.self) { try JSON(parsing: document) }
    }
    let name = Array("{\"".utf8) + bytes + Array("\":1}".utf8)
    #expect(throws: JSONError.self) { try JSON(parsing: name) }
  }

  @Test("refuses other encodings of Unicode")
  func otherEncodings() {
    #expect(throws: JSONError.self) { try JSON(parsing: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0]) }
    #expect(throws: JSONError.self) { try JSON(parsing: [0, 0x5B, 0, 0x5D]) }
    #expect(throws: JSONError.self) { try JSON(parsing: "\u{FEFF}\u{FEFF}[]") }
    #expect(throws: Never.self) { try JSON(parsing: [0xEF, 0xBB, 0xBF, 0x7B, 0x7D]) }
  }

  @Test(
    "decodes a quoted string",
    arguments: [
      (#""\u0041\u00e9\u00E9\u20AC""#, "Aéé€"), (#""\ud834\udd1e""#, "𝄞"),
      (#""\/\\\"""#, "/\\\""), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\0"),
      (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\u202e""#, "\u{202E}"), ("\"e\u{301}\"", "e\u{301}"),
    ])
  func decoded(text: String, expected: String) throws {
    #expect(try JSON(parsing: text).string.map { Array($0.utf8) } == Array(expected.utf8))
  }

  @Test(
    "bounds the depth of arrays and objects together, and unwinds it",
    arguments: [
      (1, "[]", true), (1, "[[]]", false), (2, #"[{"a":1}]"#, true),
      (2, #"[{"a":[]}]"#, false), (1, "1", true), (0, "1", true), (0, "[]", false),
      (2, "[[],[],[[]]]", false), (2, "[[],[],{},[],{}]", true),
    ])
  func depth(maximum: Int, text: String, isTaken: Bool) {
    #expect(((try? JSON(parsing: text, maximumDepth: maximum)) != nil) == isTaken)
  }

  @Test(
    "reports the line and column of an error",
    arguments: [
      ("[1,\n 2,\n  x]", 3, 3), ("{\"é\":\n\"\\q\"}", 2, 2), ("\n\n", 3, 1), ("[\"€\" 1]", 1, 8),
      ("[1,\r\n2 3]", 2, 3),
    ])
  func places(text: String, line: Int, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.description == "\(error?.message ?? "") at line \(line), column \(column)")
  }

  @Test("is read in linear time")
  func long() throws {
    let text = "[" + String(repeating: "\"aé\",", count: 100_000) + "1]"
    #expect(try JSON(parsing: text).array?.count == 100_001)
  }
}
