import TestSupport

@Suite struct HTTPFieldTests {
  @Test(
    "a received line is read as the same field that its text makes, or is refused as that is",
    arguments: [
      ("Server", " nginx"), ("a", ""), ("a", " \t "), ("X-\u{60}|~!#$%&'*+-.^_", "\tb c\t "),
      ("a b", "v"), ("", "v"), ("a:", "v"), ("é", "v"), ("a", "v\0"), ("a", "\u{7F}"), ("a", "\r"),
      ("a", "é\u{301}"), ("a(", "v"), ("a\"", "v"), ("a{", "v"), ("a/", "v"), ("a@", "v"),
    ])
  func received(name: String, value: String) {
    let field = Array(name.utf8).withUnsafeBytes { name in
      Array(value.utf8).withUnsafeBytes { HTTPField(receivedName: name, value: $0) }
    }
    #expect(field == (try? HTTPField(name, value)))
  }

  @Test("a received value that is not UTF-8 is read as Latin-1")
  func latin1() {
    let field = Array("a".utf8).withUnsafeBytes { name in
      [UInt8]([0x20, 0x63, 0xE9, 0x20]).withUnsafeBytes { HTTPField(receivedName: name, value: $0) }
    }
    #expect(field?.value == "c\u{E9}")
    #expect(field?.valueBytes == [0x63, 0xE9])
    #expect(field?.uriReference == "c%E9")
  }

  @Test(
    "keeps the bytes of its value",
    arguments: [
      ([0x61], "a", "a"), ([0xC3, 0xA9], "\u{E9}", "\u{E9}"), ([0x2F, 0xE9], "/\u{E9}", "/%E9"),
      ([0x20, 0xFF, 0x20], "\u{FF}", "%FF"), ([], "", ""),
    ] as [([UInt8], String, String)])
  func bytes(bytes: [UInt8], value: String, reference: String) throws {
    let field = try HTTPField("a", bytes: bytes)
    #expect(field.value == value)
    #expect(field.valueBytes == bytes.filter { $0 != 0x20 })
    #expect(field.uriReference == reference)
    #expect(throws: HTTPFieldError.self) { try HTTPField("a", bytes: bytes + [0x0D]) }
  }

  @Test("the members of a list are those of all its fields")
  func members() {
    let fields: HTTPFields = [
      HTTPField(known: "Connection", "close, ,\tX-One ,"), HTTPField(known: "Other", "x"),
      HTTPField(known: "connection", "X-Two"), HTTPField(known: "Connection", ""),
    ]
    #expect(fields.members(of: "Connection") == ["close", "X-One", "X-Two"])
    #expect(fields.members(of: "Upgrade").isEmpty)
  }

  @Test func neverRepeatsTheValueInItsError() {
    let error = #expect(throws: HTTPFieldError.self) { try HTTPField("X-Key", "secret\n") }
    #expect(
      error?.description == "the value of 'X-Key' holds a line break or another control character")
  }

  @Test(
    "control characters are removed from a trusted value",
    arguments: [
      ("a\r\nX: y", "aX: y"), ("a\rb", "ab"), ("a\nb", "ab"), ("a\0b", "ab"),
      ("a\r\n\u{301}b", "a\u{301}b"), ("a\n\u{301}\0\u{301}", "a\u{301}\u{301}"),
      ("a\u{1}\u{1B}\u{7F}b", "ab"), ("a\tb \u{E9}", "a\tb \u{E9}"), ("", ""),
    ])
  func knownValues(value: String, kept: String) {
    let field = HTTPField(known: "X-Known", value)
    #expect(Array(field.value.utf8) == Array(kept.utf8))
    #expect(field.name == "X-Known")
    #expect(!field.description.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 })
  }

  @Test("a name that is not a token is reported shortened and safe to show")
  func badNames() {
    let error = #expect(throws: HTTPFieldError.self) {
      try HTTPField("a\u{1B}" + String(repeating: "\u{301}", count: 1000), "v")
    }
    #expect(error?.description.unicodeScalars.count ?? 0 < 120)
    #expect(error?.description.utf8.starts(with: "'a\\u{1B}".utf8) == true)
  }

  @Test("a name that only Unicode maps to another in lower case is a different name")
  func kelvin() throws {
    let fields: HTTPFields = [try HTTPField("K", "1")]
    #expect(fields["\u{212A}"] == nil)
    #expect(fields["k"] == "1")
  }
}
