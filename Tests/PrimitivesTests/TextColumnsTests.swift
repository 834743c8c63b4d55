import TestSupport

@Suite("The columns of a text")
struct TextColumnsTests {
  @Test(
    "are two for a wide character",
    arguments: [("", 0), ("abc", 3), ("é…", 2), ("日本", 4), ("a한b", 4), ("😀", 2), ("ﾊ", 1)])
  func columns(text: String, columns: Int) { #expect(text.columns == columns) }
}
