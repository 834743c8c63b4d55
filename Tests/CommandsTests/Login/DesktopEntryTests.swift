import Testing

@testable import Commands

@Suite("Desktop entry")
struct DesktopEntryTests {
  /// A word of the command, and how the Exec line spells it.
  @Test(
    "quotes only the words that need quotes",
    arguments: [
      ("/usr/bin/sdkctl", "/usr/bin/sdkctl"), ("SDKCTL_HOME=/a_b/c-d", "SDKCTL_HOME=/a_b/c-d"),
      ("/my home/sdkctl", #""/my home/sdkctl""#), ("50%", #""50%%""#), ("", #""""#),
      (#"a"b"#, #""a\\"b""#), ("a`b", #""a\\`b""#), ("a$b", #""a\\$b""#),
      (#"a\b"#, #""a\\\\b""#), ("a;b", #""a;b""#), ("a\nb", #""a\nb""#),
      ("a\r\nb", #""a\r\nb""#), ("a\"\u{301}b", "\"a\\\\\"\u{301}b\""),
      ("%\u{301}f", "\"%%\u{301}f\""),
    ])
  func quoting(word: String, spelled: String) {
    let entry = DesktopEntry(scheme: "com.example.app", command: ["/bin/x", word])
    let line = Array("\nExec=/bin/x \(spelled) %u\n".utf8)
    #expect(Array(entry.text.utf8).contains(line))
  }
}
