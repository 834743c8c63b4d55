import Testing

@testable import SDKCore

@Suite("The one line of a secret")
struct SecretLineTests {
  @Test(
    "has no control characters, is not empty and ends with at most one line feed",
    arguments: [
      ("1234\n", "1234"), ("1234\r\n", "1234"), (" pass word ", " pass word "), ("ä", "ä"),
      ("1234\n\n", nil), ("12\u{1}34", nil), ("12\t34", nil), ("1234\u{7F}", nil), ("12\n34", nil),
      ("", nil), ("\n", nil), ("   ", nil), ("\u{1B}[A1234", nil),
    ])
  func line(content: String, line: String?) throws {
    #expect((try? SecretFile.line(in: Array(content.utf8), "Passcode")) == line)
    #expect((try? SecretFile.line(in: [0x31, 0xFF], "Passcode")) == nil)
  }
}
