import TestSupport
import Testing

@testable import OpenSSL

struct TextFormTests {
  @Test(
    "base64 is that of RFC 4648 section 10",
    arguments: [
      ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
      ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("~~~???", "fn5+Pz8/", "fn5-Pz8_"),
    ])
  func base64(plain: String, standard: String, url: String) {
    let bytes = Array(plain.utf8)
    #expect(Base64.encode(bytes) == standard)
    #expect(Base64.encode(bytes, alphabet: .url) == url)
    #expect(Base64.decode(standard.utf8) == bytes)
    #expect(Base64.decode(url.utf8, alphabet: .url) == bytes)
    #expect(Base64.decode(Array(standard.utf8)[...]) == bytes)
  }

  @Test(
    "base64 is refused unless it is the one spelling",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "=", "==", "====", "Zg==Zg==", "Zm9v\n", " Zm9v",
      "Zm9v Zm9v", "Zm-v", "Zm9v=", "Zé==",
    ])
  func badStandard(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }

  @Test(
    "base64url is refused unless it is the one spelling",
    arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm9v=", "Zm+v", "Zm/v", "Zm9v\n", "Zm 9", "Zm9vZ", "\0"])
  func badURL(text: String) {
    #expect(Base64.decode(text.utf8, alphabet: .url) == nil)
  }

  @Test("base64 of any bytes is read back")
  func roundTrip() {
    var dice = Dice(state: 7)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
      #expect(Base64.decode(Base64.encode(bytes).utf8) == bytes)
      #expect(Base64.decode(Base64.encode(bytes, alphabet: .url).utf8, alphabet: .url) == bytes)
    }
  }

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
    "characters that act on a terminal are shown as their bytes",
    arguments: [
      ("plain ä 鍵", "plain ä 鍵"), ("a\u{1B}[2Jb", "a\\1B[2Jb"), ("a\nb", "a\\0Ab"),
      ("\u{9B}x", "\\C2\\9Bx"), ("a\u{202E}b", "a\\E2\\80\\AEb"),
      ("\u{200B}", "\\E2\\80\\8B"), ("\u{2028}", "\\E2\\80\\A8"), ("\u{7F}", "\\7F"),
    ])
  func visible(text: String, expected: String) {
    #expect(VisibleText.of(text) == expected)
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
    #expect(IPAddressText.of(try #require(Hex.decode(hex.utf8))) == expected)
  }
}
