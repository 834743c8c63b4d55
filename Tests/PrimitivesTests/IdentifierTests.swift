import TestSupport

@Suite("Identifiers")
struct IdentifierTests {
  /// Texts that are equal to Swift and are not the same.
  static let equivalent = [
    ("\u{212A}", "K"), ("\u{E9}", "e\u{301}"), ("\u{37E}", ";"), ("\u{1FEF}", "`"),
    ("https://\u{212A}.test", "https://K.test"), ("\u{AC00}", "\u{1100}\u{1161}"),
  ]

  @Test("are compared as their bytes, and not by canonical equivalence", arguments: equivalent)
  func bytes(left: String, right: String) {
    #expect(left == right)
    #expect(!sameIdentifier(left, right))
    #expect(sameIdentifier(left, left))
    #expect(Identifier(left) != Identifier(right))
    #expect(Set([Identifier(left), Identifier(right)]).count == 2)
    #expect([Identifier(left): 1][Identifier(right)] == nil)
    #expect(Identifier(left) < Identifier(right) || Identifier(right) < Identifier(left))
    #expect([left].contains(right))
    #expect(![left].contains(identifier: right))
    #expect([right, left].contains(identifier: left))
  }

  @Test("are absent or present")
  func absent() {
    #expect(sameIdentifier(nil, nil))
    #expect(!sameIdentifier(nil, ""))
    #expect(!sameIdentifier("", nil))
    #expect(sameIdentifier("", ""))
    #expect(![String]().contains(identifier: ""))
  }

  private enum Kind: String { case wrap = "A128KW" }

  @Test("name a case of an enumeration by their bytes")
  func cases() {
    #expect(Kind(identifier: "A128KW") == .wrap)
    #expect(Kind(rawValue: "A128\u{212A}W") == .wrap)
    #expect(Kind(identifier: "A128\u{212A}W") == nil)
    #expect(Kind(identifier: "a128kw") == nil)
  }

  @Test(
    "in lower case differ only in ASCII letters",
    arguments: [
      ("", ""), ("AbZ09-_", "abz09-_"), ("@[`{", "@[`{"), ("\u{212A}", "\u{212A}"),
      ("\u{130}I", "\u{130}i"), ("\u{C9}", "\u{C9}"), ("A\u{301}", "a\u{301}"),
    ])
  func lowercased(text: String, expected: String) {
    #expect(sameIdentifier(text.asciiLowercased, expected))
  }
}
