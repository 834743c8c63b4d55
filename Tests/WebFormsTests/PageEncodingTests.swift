import Testing

@testable import WebForms

@Suite("The encoding of a page")
struct PageEncodingTests {
  @Test("is read both ways for every character that Windows-1252 has")
  func characters() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = String(decoding: PageEncoding.utf8(ofLatin: bytes), as: UTF8.self)
    #expect(text.unicodeScalars.count == 256)
    #expect(PageEncoding.latin(text) == bytes)
    #expect(text.unicodeScalars.contains("€") && text.unicodeScalars.contains("Ÿ"))
  }

  @Test(
    "has a reference for every other character",
    arguments: [("π", "&#960;"), ("😀", "&#128512;"), ("a", "a"), ("\u{10080}", "&#65664;")])
  func references(text: String, bytes: String) {
    #expect(PageEncoding.latin(text) == Array(bytes.utf8))
  }

  @Test(
    "is named by the media type",
    arguments: [
      ("text/html; charset=UTF-8", "UTF-8"), ("text/html;charset=\"latin1\" ; x=y", "latin1"),
      ("text/html", nil), ("text/html; Charset='x'", "x"), (nil, nil), ("text/html; charset", nil),
      ("text/html; level=1", nil), ("text/html; level=1; charset=l1", "l1"),
    ] as [(String?, String?)])
  func charset(type: String?, name: String?) {
    #expect(PageEncoding.charset(of: type) == name)
  }
}
