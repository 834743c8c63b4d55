import TestSupport

@testable import Sandbox

@Suite("Texts of the protocol are read and written exactly")
struct ValuesTests {
  @Test(
    "base64 is padded and read with or without padding",
    arguments: [("AA==", [UInt8(0)]), ("//8=", [255, 255])])
  func base64(text: String, bytes: [UInt8]) {
    #expect(Base64.encode(bytes) == text)
    #expect(Base64.decode(text) == bytes)
    #expect(Base64.decode(String(text.prefix { $0 != "=" })) == bytes)
  }

  @Test("a form keeps order and repetition, and an empty value counts as absent")
  func forms() {
    let form = Form(decoding: "a=1+2&b=%C3%A4%26&a=3&c=&d&e=%zz%4")
    #expect(form.fields.map(\.name) == ["a", "b", "a", "c", "d", "e"])
    #expect(form["a"] == "1 2")
    #expect(form.all("a") == ["1 2", "3"])
    #expect(form["b"] == "ä&")
    #expect(form["c"] == nil)
    #expect(form["d"] == nil)
    #expect(form["e"] == "%zz%4")
    #expect(form.repeated() == "a")
    #expect(Form(decoding: "resource=1&resource=2").repeated() == nil)
    #expect(form.encoded == "a=1%202&b=%C3%A4%26&a=3&c=&d=&e=%25zz%254")
    #expect(Form(["s": "x y"]).appended(to: "http://a/?q") == "http://a/?q&s=x%20y")
    #expect(Form().appended(to: "http://a/") == "http://a/")
  }

  @Test(
    "multipart bodies that are not whole are refused",
    arguments: [
      "", "--X--\r\n", "--X\r\n\r\n\r\n--X--",
      "--X\r\nContent-Disposition: form-data\r\n\r\na\r\n--X--",
      "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\r\n",
      "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\r\n--X\r\n",
      "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na--X--",
      "--X\r\nContent-Disposition: form-data; name=\"a\"--X--",
    ])
  func multipartRefuses(body: String) {
    let type = "multipart/form-data; boundary=X"
    #expect(Multipart(contentType: type, body: Array(body.utf8)) == nil)
    let good = Array("--X\r\nContent-Disposition: form-data; name=a\r\n\r\na\r\n--X--".utf8)
    #expect(Multipart(contentType: type, body: good) != nil)
    #expect(Multipart(contentType: "multipart/mixed; boundary=X", body: good) == nil)
  }

  @Test(
    "a date is written as HTTP wants it",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_795_236_842, "Sat, 21 Nov 2026 04:54:02 GMT"),
      (951_825_599, "Tue, 29 Feb 2000 11:59:59 GMT"),
    ])
  func dates(seconds: Int, text: String) {
    #expect(HTTPDate.text(seconds) == text)
  }
}
