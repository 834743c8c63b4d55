import Foundation
import TestSupport

@Suite("Form parameters")
struct FormParameterTests {
  @Test("are found by the bytes of their names")
  func names() throws {
    var form = try #require(FormParameters(encoded: "e%CC%81=1&%C3%A9=2&%E2%84%AA=3"))
    #expect(form["\u{E9}"] == "2")
    #expect(form["e\u{301}"] == "1")
    #expect(form["K"] == nil)
    #expect(form.values(of: "\u{E9}") == ["2"])
    form["K"] = "0"
    form["K"] = "4"
    form["\u{E9}"] = nil
    #expect(form.encoded == "e%CC%81=1&%E2%84%AA=3&K=4")
  }

  @Test(
    "are read back as they were",
    arguments: ["", "a b", "+", "%", "&=;", "é😀", "\r\n\0", "a\u{301}", "~-._*!'()"])
  func roundTrip(value: String) throws {
    var form = FormParameters()
    form.append(value, value)
    form.append("k", value)
    let read = try #require(FormParameters(encoded: form.encoded))
    #expect(read.map { Array($0.value.utf8) } == [Array(value.utf8), Array(value.utf8)])
    #expect(form.encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(read == form)
  }
}

@Suite("The encoding of forms")
struct FormEncodingTests {
  @Test("encodes every byte but those that RFC 3986 does not reserve, as Foundation does")
  func everyScalar() throws {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    for value in 0...0x7FF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      #expect(
        FormParameters.encode(text) == text.addingPercentEncoding(withAllowedCharacters: unreserved)
      )
    }
  }

  @Test(
    "is read by the rules of WHATWG, but refuses what is not UTF-8",
    arguments: [
      ("a=b", [["a", "b"]]), ("a=b&a=c", [["a", "b"], ["a", "c"]]), ("a", [["a", ""]]),
      ("=b", [["", "b"]]), ("=", [["", ""]]), ("&", []), ("a&&b", [["a", ""], ["b", ""]]),
      ("a=b=c", [["a", "b=c"]]), ("a+b=c+d", [["a b", "c d"]]), ("a%2Bb=%2b", [["a+b", "+"]]),
      ("a%3Db=%26", [["a=b", "&"]]), ("a=%00", [["a", "\0"]]), ("a=%0D%0A", [["a", "\r\n"]]),
      ("a;b=c", [["a;b", "c"]]), ("a=\u{301}b", [["a", "\u{301}b"]]),
      ("a&\u{301}b=c", [["a", ""], ["\u{301}b", "c"]]), ("%C3%A9=%e2%82%ac", [["é", "€"]]),
      ("a=é", [["a", "é"]]), ("?a=b", [["?a", "b"]]), ("a=b#c", [["a", "b#c"]]),
      ("a=%", nil), ("a=%4", nil), ("a=%4g", nil), ("%=a", nil), ("a=%%41", nil), ("a=%-1", nil),
      ("a=%C3", nil), ("a=%C3%28", nil), ("a=%ED%A0%80", nil), ("a=%C0%AF", nil), ("a=%F5", nil),
      ("a=%C3&b=%A9", nil), ("a=%+1", nil), ("%zz=1", nil), ("", []),
      ("a=%\u{FF11}1", nil), ("a=%u0041", nil),
    ] as [(String, [[String]]?)])
  func read(text: String, pairs: [[String]]?) {
    let read = FormParameters(encoded: text).map { form in
      form.map { [Array($0.name.utf8), Array($0.value.utf8)] }
    }
    #expect(read == pairs?.map { $0.map { Array($0.utf8) } })
  }

  @Test("of parameters that are added to a URL keeps its query and its order")
  func added() throws {
    func adding(_ text: String, _ form: FormParameters) throws -> String {
      try HTTPURL(text).adding(form).description
    }
    #expect(try adding("https://h/a", ["x": "1", "y": "a b&c"]) == "https://h/a?x=1&y=a%20b%26c")
    #expect(try adding("https://h/a?q", ["x": "#"]) == "https://h/a?q&x=%23")
    #expect(try adding("https://h/a?", ["x": "1"]) == "https://h/a?x=1")
    #expect(try adding("https://h/a?x=1", ["x": "2"]) == "https://h/a?x=1&x=2")
    #expect(try adding("https://h/a#f", [:]) == "https://h/a")
    #expect(try HTTPURL("https://h/a?b=c").withoutQuery.description == "https://h/a")
  }

  @Test("is read back from every mutation that it accepts")
  func mutated() throws {
    var random = Dice(state: 41)
    for _ in 0..<10_000 {
      var bytes = Array("code=a%20b&state=%C3%A9%E2%82%AC&iss=https%3A%2F%2Fid.test&error=".utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        bytes = random.mutated(bytes)
      }
      guard let form = FormParameters(encoded: String(decoding: bytes, as: UTF8.self)) else {
        continue
      }
      #expect(FormParameters(encoded: form.encoded) == form)
    }
  }
}

@Suite("The fields of a message")
struct HTTPFieldListTests {
  @Test("are found by names without regard to the case of ASCII letters, and in their order")
  func order() throws {
    var fields = HTTPFields(
      try [("A", "1"), ("b", "2"), ("a", "3"), ("Set-Cookie", "x")].map {
        try HTTPField($0.0, $0.1)
      })
    #expect(fields.map(\.description) == ["A: 1", "b: 2", "a: 3", "Set-Cookie: x"])
    #expect(fields.values(of: "a") == ["1", "3"])
    #expect(fields["A"] == "1")
    #expect(fields["SET-COOKIE"] == "x")
    #expect(fields["c"] == nil)
    #expect(fields.values(of: "c").isEmpty)
    fields.append(try HTTPField("B", "4"))
    #expect(fields.values(of: "b") == ["2", "4"])
    fields.replace(with: try HTTPField("b", "5"))
    #expect(fields.map(\.description) == ["A: 1", "a: 3", "Set-Cookie: x", "b: 5"])
    fields.remove("A")
    #expect(fields.map(\.name) == ["Set-Cookie", "b"])
    #expect(HTTPFields().first { _ in true } == nil)
  }

  @Test("accept every byte of a token as a name, and no other")
  func names() {
    #expect((try? HTTPField("", "v")) == nil)
    #expect(HTTPMethod("") == nil)
    #expect(HTTPMethod(String(repeating: "A", count: 33)) == nil)
    let others = Set("!#$%&'*+-.^_`|~".utf8)
    for value in 0...0xFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isToken =
        value < 0x80
        && (others.contains(UInt8(value)) || scalar.properties.isAlphabetic
          || (0x30...0x39).contains(value))
      #expect(((try? HTTPField("X\(scalar)Y", "v")) != nil) == isToken)
      #expect((HTTPMethod("X\(scalar)Y") != nil) == isToken)
    }
  }

  @Test("accept every value without a control character, and remove blanks around it")
  func values() throws {
    for value in 0...0x2FF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isControl = value < 0x20 && value != 9 || value == 0x7F
      #expect(((try? HTTPField("X", "a\(scalar)b")) == nil) == isControl)
    }
    #expect(try HTTPField("X", " \t a b \t ").value == "a b")
    #expect(try HTTPField("X", " \u{301}").value == "\u{301}")
    #expect(try HTTPField("X", "\u{A0}a\u{A0}").value == "\u{A0}a\u{A0}")
    #expect(try HTTPField("X", " \t ").value == "")
  }
}
