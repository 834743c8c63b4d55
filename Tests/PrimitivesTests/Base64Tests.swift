import TestSupport

struct Base64Tests {
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
    "base64 is refused unless it is canonical",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "=", "==", "====", "Zg==Zg==", "Zm9v\n", " Zm9v",
      "Zm9v Zm9v", "Zm-v", "Zm9v=", "Zé==",
    ])
  func badStandard(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }

  @Test(
    "base64url is refused unless it is canonical",
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
}
