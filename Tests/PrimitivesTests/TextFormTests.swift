import TestSupport

struct TextFormTests {
  @Test(
    "hexadecimal digits come in pairs",
    arguments: [
      ("", []), ("00ff", [0, 255]), ("aBCd", [0xAB, 0xCD]), ("0", nil), ("0g", nil), ("00 ", nil),
    ] as [(String, [UInt8]?)])
  func hex(text: String, bytes: [UInt8]?) {
    #expect(Hex.decode(text.utf8) == bytes)
    if let bytes {
      #expect(Hex.encode(bytes) == text.lowercased())
      #expect(Hex.encode(bytes, uppercase: true) == text.uppercased())
    }
  }

  @Test(
    "control and format characters are shown as their bytes in a distinguished name",
    arguments: [
      ("plain ä 鍵", "plain ä 鍵"), ("a\u{1B}[2Jb", "a\\1B[2Jb"), ("a\nb", "a\\0Ab"),
      ("\u{9B}x", "\\C2\\9Bx"), ("a\u{202E}b", "a\\E2\\80\\AEb"),
      ("\u{200B}", "\\E2\\80\\8B"), ("\u{2028}", "\\E2\\80\\A8"), ("\u{7F}", "\\7F"),
    ])
  func visible(text: String, expected: String) {
    #expect(VisibleText.of(text, .bytes) == expected)
  }

  @Test(
    "control and format characters are shown as escapes, or as spaces in prose",
    arguments: [
      ("plain ä 鍵 😀", "plain ä 鍵 😀", "plain ä 鍵 😀"), ("a\u{1B}[2J", "a\\u{1B}[2J", "a [2J"),
      ("a\r\nb", "a\\r\\nb", "a  b"), ("\u{9B}\u{7F}", "\\u{009B}\\u{7F}", "  "),
      ("\u{202E}\u{2066}", "\\u{202E}\\u{2066}", "  "),
      ("\u{200F}\u{61C}", "\\u{200F}\\u{061C}", "  "),
      ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}", "  "), ("\u{FEFF}", "\\u{FEFF}", " "),
      ("\u{E0041}", "\\u{000E0041}", " "),
      // A soft hyphen and joiners are spelling; a mark is no control.
      (
        "a\u{AD}\u{200C}\u{200D}b\u{301}", "a\u{AD}\u{200C}\u{200D}b\u{301}",
        "a\u{AD}\u{200C}\u{200D}b\u{301}"
      ),
    ])
  func acting(text: String, escaped: String, spaced: String) {
    #expect(VisibleText.of(text) == escaped)
    #expect(VisibleText.of(text, .space) == spaced)
    #expect(VisibleText.of(VisibleText.of(text)) == escaped)
  }

  @Test(
    "a text begins in lower case inside a sentence, but not a name",
    arguments: [
      ("Bad file", "bad file"), ("CA key too weak", "CA key too weak"),
      ("I/O error", "I/O error"), ("A key", "a key"), ("", ""),
    ])
  func uncapitalized(text: String, expected: String) { #expect(text.uncapitalized == expected) }

  @Test("control characters can be kept on request")
  func kept() {
    #expect(VisibleText.of("a\tb\n\u{1B}", keeping: ["\t", "\n"]) == "a\tb\n\\u{1B}")
  }

  @Test("the length of a text is that of its scalars, of which a character may have any number")
  func limits() {
    let marks = "a" + String(repeating: "\u{301}", count: 150_000)
    #expect(marks.count == 1)
    #expect(VisibleText.of(marks, .space, limit: 80).unicodeScalars.count == 80)
    #expect(VisibleText.quoted(marks).unicodeScalars.count == 83)
    #expect(VisibleText.of("abc", limit: 3) == "abc")
    #expect(VisibleText.of("abcd", limit: 3) == "abc")
    #expect(VisibleText.of("äöü", limit: 3) == "äöü")
    #expect(VisibleText.quoted(String(repeating: "x", count: 80)).hasSuffix("x'"))
    #expect(VisibleText.quoted(String(repeating: "x", count: 81)).hasSuffix("x…'"))
  }

  @Test(
    "bytes show printable ASCII only",
    arguments: [
      ([], ""), ([0x41, 0xFF, 0x1B, 0x7E, 0x7F, 0xC3, 0xA4], "A\\xff\\x1b~\\x7f\\xc3\\xa4"),
    ]
      as [([UInt8], String)])
  func bytes(bytes: [UInt8], shown: String) {
    #expect(VisibleText.of(bytes: bytes) == shown)
  }

  @Test(
    "addresses are written as in RFC 5952",
    arguments: [
      ("7f000001", "127.0.0.1"), (String(repeating: "0", count: 31) + "1", "::1"),
      ("20010db8000000000001000000000001", "2001:db8::1:0:0:1"),
      ("20010db8000000010001000100010001", "2001:db8:0:1:1:1:1:1"),
      ("20010000000000000000000000000000", "2001::"), ("00", nil),
    ])
  func address(hex: String, expected: String?) throws {
    #expect(IPAddress(bytes: try #require(Hex.decode(hex.utf8)))?.description == expected)
  }
}
