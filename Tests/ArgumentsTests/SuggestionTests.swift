import Testing

@testable import Arguments

@Suite struct SuggestionTests {
  @Test(
    "edits are counted, a swap as one",
    arguments: [
      ("", "", 0), ("a", "", 1), ("", "ab", 2), ("abc", "abc", 0), ("abc", "acb", 1),
      ("abc", "abd", 1), ("abc", "bc", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
  func distance(first: String, second: String, expected: Int) {
    #expect(Suggestion.distance(first, second) == expected)
    #expect(Suggestion.distance(second, first) == expected)
  }

  @Test(
    "only similar words are suggested",
    arguments: [
      ("tokn", "token"), ("otken", "token"), ("prof", "profile"), ("pr", "profile"), ("t", nil),
      ("to", nil), ("xyz", nil), ("login", "login"), ("logn", "login"), ("", nil),
      ("p", "pi"), ("--audience", "--aud"), ("topicality", "topic"),
      (String(repeating: "token", count: 20), nil),
    ] as [(String, String?)])
  func nearest(word: String, expected: String?) {
    let candidates = ["token", "topic", "profile", "login", "logout", "pi", "v", "--aud"]
    #expect(Suggestion.nearest(to: word, among: candidates) == expected)
  }
}
