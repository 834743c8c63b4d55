import Testing

@testable import Commands

@Suite("Text for people")
struct TextTests {
  @Test(
    "loses what would act on a terminal, wherever the pieces are cut",
    arguments: [
      ("plain ü €😀\t\r\n", "plain ü €😀\t\r\n"), ("a\u{1b}[2Jb", "a[2Jb"),
      ("a\u{0}\u{7}\u{8}b\u{7F}c", "abc"), ("a\u{9b}31mb", "a31mb"), ("\u{80}\u{9f}", ""),
      ("\u{a0}\u{a9}", "\u{a0}\u{a9}"), ("", ""),
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
    "says how far an instant is",
    arguments: [
      (100, "0 seconds ago"), (101, "in 1 second"), (99, "1 second ago"), (219, "in 119 seconds"),
      (220, "in 2 minutes"), (100 - 7199, "119 minutes ago"), (100 + 7200, "in 2 hours"),
      (100 + 172_799, "in 47 hours"), (100 + 172_800, "in 2 days"), (100 - 864_000, "10 days ago"),
      (Int64.max, "in 106751991167300 days"), (Int64.min, "106751991167300 days ago"),
    ] as [(Int64, String)])
  func relative(time: Int64, text: String) {
    #expect(Age.relative(time, to: 100) == text)
  }

  @Test(
    "says when something expires or has expired",
    arguments: [
      (1_800_003_600, "expires 2027-01-15T09:00:00Z, in 60 minutes"),
      (1_800_000_000, "expired 2027-01-15T08:00:00Z, 0 seconds ago"),
      (1_799_999_999, "expired 2027-01-15T07:59:59Z, 1 second ago"),
    ] as [(Int64, String)])
  func expiry(time: Int64, text: String) {
    #expect(Age.text(of: time, at: 1_800_000_000) == text)
  }
}
