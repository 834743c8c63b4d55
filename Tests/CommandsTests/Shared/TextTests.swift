import CoreTestSupport

@testable import Commands

@Suite("Text for people")
struct TextTests {
  @Test("breaks between words, but not in a command to paste")
  func lines() {
    let text = "run `sdkctl pin add api.test` to pin it"
    #expect(
      Visible.lines(text, width: 16) == ["run", "`sdkctl pin add api.test`", "to pin it"])
    #expect(Visible.lines(text, width: 80) == [text] && Visible.lines(text, width: nil) == [text])
    #expect(Visible.lines("", width: 16) == [""])
    #expect(Visible.lines("  a long line", width: 9) == ["  a long", "  line"])
    let table = TextTable(["A"], rows: [[.init("a long cell")]])
    #expect(table.fitted(to: 6) == ["a long", "cell"])
  }

  @Test(
    "has no characters that act on a terminal, wherever the pieces are cut",
    arguments: [
      ("plain ü €😀\t\r\n", "plain ü €😀\t\n"), ("100\r999", "100999"), ("a\u{1b}[2Jb", "a[2Jb"),
      ("a\u{0}\u{7}\u{8}b\u{7F}c", "abc"), ("a\u{9b}31mb", "a31mb"), ("\u{80}\u{9f}", ""),
      ("\u{a0}\u{a9}", "\u{a0}\u{a9}"), ("", ""),
      ("a\u{202e}b\u{2066}c\u{2069}d\u{200e}e\u{200f}f\u{202a}g\u{61c}h", "abcdefgh"),
      (
        "\u{61b}\u{200d}\u{2010}\u{2026}\u{202f}\u{2065}\u{206a}\u{20ac}",
        "\u{61b}\u{200d}\u{2010}\u{2026}\u{202f}\u{2065}\u{20ac}"
      ),
    ])
  func filter(text: String, shown: String) {
    let bytes = Array(text.utf8)
    for size in 1...max(1, bytes.count) {
      var filter = TerminalFilter()
      var kept: [UInt8] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        Array(rest.prefix(size)).withUnsafeBytes { kept += filter.visible($0) }
        rest = rest.dropFirst(size)
      }
      #expect(String(decoding: kept, as: UTF8.self) == shown, "pieces of \(size)")
    }
  }

  @Test(
    "has no control character after the removal of others",
    arguments: [
      ([0xC2, 0x1B, 0x9B], "??"), ([0xC2, 0xC2, 0x9B, 0x9B], "??"),
      ([0xE2, 0xE2, 0x80, 0xAE, 0x80, 0xAE], "???"), ([0xE2, 0x80, 0x1B, 0xAE], "??"),
      ([0xE2, 0x1B, 0x41, 0x80], "?A?"),
    ] as [([UInt8], String)])
  func gaps(bytes: [UInt8], shown: String) {
    #expect(Self.filtered(bytes + [0x21]) == shown + "!")
  }

  @Test(
    "has no byte that is not UTF-8: on some terminals 0x80 to 0x9F are controls",
    arguments: [
      ([0x9B, 0x33, 0x31, 0x6D], "?31m"), (Array(0x80...0x9F), String(repeating: "?", count: 32)),
      ([0xE9, 0x20], "? "), ([0xFF, 0xFE], "??"), ([0xC0, 0x9B], "??"), ([0xC1, 0xBF], "??"),
      ([0xE0, 0x80, 0x9B], "???"), ([0xED, 0xA0, 0x80], "???"), ([0xF4, 0x90, 0x80, 0x80], "????"),
      ([0xF0, 0x8F, 0x80, 0x80], "????"), ([0xF5, 0x80], "??"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
      ([0x41, 0xE2, 0x80], "A?"), ([0xF0, 0x9F], "?"), ([0xC2], "?"),
    ] as [([UInt8], String)])
  func notUTF8(bytes: [UInt8], shown: String) {
    #expect(Self.filtered(bytes) == shown)
  }

  /// What is shown of the bytes whole and one by one, with a question mark for U+FFFD.
  private static func filtered(_ bytes: [UInt8]) -> String {
    var whole = TerminalFilter()
    let kept = bytes.withUnsafeBytes { whole.visible($0) } + whole.rest()
    var cut = TerminalFilter()
    let pieces = bytes.flatMap { byte in [byte].withUnsafeBytes { cut.visible($0) } } + cut.rest()
    #expect(pieces == kept)
    return String(decoding: kept, as: UTF8.self).replacing("\u{FFFD}", with: "?")
  }

  @Test(
    "has escapes in place of marks of direction",
    arguments: [
      ("a\u{202e}b", "a\\u{202E}b"), ("\u{200e}\u{200f}", "\\u{200E}\\u{200F}"),
      ("\u{202a}\u{2066}\u{2069}", "\\u{202A}\\u{2066}\\u{2069}"),
      ("\u{61c}\u{1b}", "\\u{061C}\\u{1B}"), ("عربي \u{200d}é", "عربي \u{200d}é"),
    ])
  func directing(text: String, shown: String) {
    #expect(Visible.text(text) == shown)
    #expect(Visible.line(text) == shown)
  }

  @Test(
    "shows the time from now to an instant",
    arguments: [
      (100, "0 seconds ago"), (101, "in 1 second"), (99, "1 second ago"), (219, "in 119 seconds"),
      (220, "in 2 minutes"), (100 - 7199, "119 minutes ago"), (100 + 7200, "in 2 hours"),
      (100 + 172_799, "in 47 hours"), (100 + 172_800, "in 2 days"), (100 - 864_000, "10 days ago"),
      (Int64.max, "in 106751991167300 days"), (Int64.min, "106751991167300 days ago"),
    ] as [(Int64, String)])
  func relative(time: Int64, text: String) {
    #expect(Age.relative(Timestamp(time), to: 100) == text)
  }

  @Test(
    "says when something expires or has expired",
    arguments: [
      (1_800_003_600, "expires 2027-01-15T09:00:00Z, in 60 minutes"),
      (1_800_000_000, "expired 2027-01-15T08:00:00Z, 0 seconds ago"),
      (1_799_999_999, "expired 2027-01-15T07:59:59Z, 1 second ago"),
    ] as [(Timestamp, String)])
  func expiry(time: Timestamp, text: String) {
    #expect(Age.text(of: time, at: 1_800_000_000) == text)
  }

  @Test("has no colour if it is empty, or if none is wanted")
  func colour() {
    #expect(Tone.bad.coloured("", if: true) == "")
    #expect(Tone.bad.coloured("a", if: false) == "a")
    #expect(Tone.bad.coloured("a", if: true) == "\u{1b}[31ma\u{1b}[0m")
  }
}
