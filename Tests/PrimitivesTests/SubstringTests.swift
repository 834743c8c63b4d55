import TestSupport

struct SubstringTests {
  @Test(
    "a text contains another one if its bytes do",
    arguments: [
      ("https://host", "://", true), ("host", "://", false), ("a:/b://c", "://", true),
      ("::///", "://", true), ("::/:/", "://", false), ("aab", "ab", true), ("ab", "ab", true),
      ("a", "ab", false), ("", "a", false), ("", "", true), ("a", "", true), ("..", "..", true),
      // Equal characters of other bytes are another text: the check is not to be fooled by marks.
      (":/\u{301}/", "://", false), ("e\u{301}", "\u{e9}", false), ("b\u{fc}", "\u{fc}", true),
    ])
  func containsText(text: String, other: String, expected: Bool) {
    #expect(text.containsText(other) == expected)
    #expect(text[...].containsText(other) == expected)
  }
}
