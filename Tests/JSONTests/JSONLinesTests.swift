import Testing

@testable import JSON

@Suite("Lines of members")
struct JSONLinesTests {
  private static let document = """
    {
      "a": 1, "b": "x\\ny",
      "c": {"d": [1,
        {"e": 2}
      ],
        "f\\u0067": {}, "h": {
          "i": null}},

      "j": -1.5e3
    }
    """

  @Test("are counted from 1, also behind arrays, escapes and empty lines")
  func lines() {
    let lines = JSONLines(of: Array(Self.document.utf8))
    let expected = ["a": 2, "b": 2, "c": 3, "c.d": 3, "c.fg": 6, "c.h": 6, "c.h.i": 7, "j": 9]
    for (path, line) in expected { #expect(lines[path] == line, "\(path)") }
    #expect(lines["c.d.e"] == nil)
    #expect(lines["x"] == nil)
  }

  @Test(
    "of what is not JSON end where it is broken",
    arguments: [
      "", "{", "{\"a\"", "{\"a\":", "{a}", "{\"a\" 1}", "[", "{\"a\":}", "}", "\"", "{,}",
    ])
  func broken(text: String) {
    #expect(JSONLines(of: Array(text.utf8))["z"] == nil)
  }
}
