import Arguments
import CoreTestSupport

@testable import Commands

@Suite("Values of fetch")
struct FetchValueTests {
  @Test(
    "are a header field with the text after the first colon",
    arguments: [
      ("A: b", "A", "b"), ("A:b", "A", "b"), ("A:  b c ", "A", "b c "),
      ("A: b:c", "A", "b:c"), ("A;", "A", ""), ("A: b;", "A", "b;"), (": b", "", "b"),
      ("A : b", "A ", "b"),
      // The field is checked with the request, so a line break is kept until then.
      ("A: b\r\nC: d", "A", "b\r\nC: d"), ("A\r: b", "A\r", "b"),
    ])
  func header(text: String, name: String, value: String) throws {
    let lines = try HeaderLines([Header.reading(text).loaded(.standard)])
    #expect(lines.sent.map(\.name) == [name])
    #expect(lines.sent.map(\.value) == [value])
    #expect(lines.omitted.isEmpty)
  }

  @Test(
    "are a header field to leave out if nothing follows the colon",
    arguments: [("A:", "A"), ("A: ", "A"), ("A:\t ", "A"), ("A :", "A ")])
  func omitted(text: String, name: String) throws {
    let lines = try HeaderLines([Header.reading(text).loaded(.standard)])
    #expect(lines.sent.isEmpty)
    #expect(lines.omitted == [name])
  }

  @Test("are the header fields of a file, in order")
  func headerFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("A: b\n\nC:d\r\nE:\nF;\n", to: "fields")
    let lines = try HeaderLines([Header.reading("@\(path)").loaded(.standard)])
    #expect(lines.sent.map(\.name) == ["A", "C", "F"])
    #expect(lines.sent.map(\.value) == ["b", "d", ""])
    #expect(lines.omitted == ["E"])
    try folder.write("A: b\nno field\n", to: "fields")
    let malformed = #expect(throws: Failure.self) {
      _ = try Header.reading("@\(path)").loaded(.standard)
    }
    #expect(malformed?.exit == .usage)
    let missing = #expect(throws: Failure.self) {
      _ = try Header.reading("@\(path).none").loaded(.standard)
    }
    #expect(missing?.exit == .failure)
  }

  @Test("are no limit of the time to connect if they are 0")
  func connectTimeout() {
    for (given, used) in [(nil, nil), (.zero, nil), (.seconds(2), .seconds(2))]
      as [(Duration?, Duration?)]
    {
      var options = SessionOptions()
      ConnectionArguments(connectTimeout: given).apply(to: &options)
      #expect(options.connectTimeout == used)
    }
  }

  @Test(
    "are a parameter with the text after the first equals sign",
    arguments: [
      ("a=b", "a", "b"), ("a=", "a", ""), ("a=b=c", "a", "b=c"), (" a = b", " a ", " b"),
      ("a=\u{301}=b", "a", "\u{301}=b"), (#"a\=b=c\=d"#, "a=b", #"c\=d"#),
      (#"a\:=1"#, "a:", "1"), (#"a\b=c"#, #"a\b"#, "c"), ("a:b=c", "a:b", "c"),
      (":=c", ":", "c"),
    ])
  func parameter(text: String, name: String, value: String) throws {
    let parameter = try Parameter.reading(text)
    #expect(parameter.name == name)
    #expect(parameter.value == value)
  }

  @Test(
    "are sizes with a unit",
    arguments: [("0", 0), ("5000", 5000), ("2k", 2048), ("3M", 3 << 20), ("1G", 1 << 30)])
  func size(text: String, bytes: Int64) throws {
    #expect(try ByteSize.reading(text).bytes == bytes)
  }

  @Test(
    "are not sizes",
    arguments: ["", "K", "-1", "1.5M", "1KB", "9223372036854775808", "9007199254740992G"])
  func noSize(text: String) { #expect(throws: ValueError.self) { try ByteSize.reading(text) } }

  @Test(
    "are the name of a file in a URL",
    arguments: [
      ("/a/b.pdf", "b.pdf"), ("https://h.test/a/b.pdf?x=/y#/z", "b.pdf"), ("b", "b"),
      ("/a%2Fb", "a%2Fb"), ("http://h/..%2f", "..%2f"), ("/a?b", "a"),
    ])
  func remoteName(target: String, name: String) throws {
    #expect(try OutputPath.remoteName(target) == name)
  }

  @Test(
    "are not the name of a file",
    arguments: [
      "/", "", "https://h.test", "https://h.test/", "/a/", "/a/.", "/a/..", "/.", "?x=/a", "/a\0b",
    ])
  func noRemoteName(target: String) {
    #expect(throws: Failure.self) { try OutputPath.remoteName(target) }
  }

  @Test(
    "are a parameter with a JSON value after :=",
    arguments: [
      ("a:=3", "a", 3), ("a:={\"b\":[true]}", "a", ["b": [true]]), ("a:=\"x=y\"", "a", "x=y"),
      ("a::=null", "a:", .null),
    ] as [(String, String, JSON)])
  func jsonParameter(text: String, name: String, value: JSON) throws {
    let parameter = try Parameter.reading(text)
    #expect(parameter.name == name)
    #expect(parameter.json == value)
  }

  @Test("are not a JSON parameter without JSON")
  func badJSON() throws {
    for text in ["a:=", "a:=x", "a:=1 2"] {
      #expect(throws: ValueError.self) { try Parameter.reading(text) }
    }
    #expect(try Parameter.reading(":=3").json == nil)
  }

  @Test(
    "are a part of a form",
    arguments: [
      ("a=b;type=c", "a text b;type=c - -"), ("a=", "a text  - -"), ("a=@f", "a file f - -"),
      ("a=@d/f;type=text/x;filename=n", "a file d/f text/x n"),
      (#"a=@"f;g";filename="n\"o""#, #"a file f;g - n"o"#), ("a=<f", "a fileAsText f - -"),
      ("a=@f;filename=n;type=t/u", "a file f t/u n"),
      ("a=@f;type=text/x; charset=u;filename=n", "a file f text/x; charset=u n"),
      ("a=@f;type=text/x;p=1;q=2", "a file f text/x;p=1;q=2 -"),
      (#"a={"b":";"};type=application/json"#, #"a text {"b":";"} application/json -"#),
      (#"a="b";type=text/x;filename="d e""#, #"a text "b" text/x d e"#),
      ("a=@f;x=1", "a file f;x=1 - -"), ("a=@f;", "a file f; - -"),
      ("a=b;filename=n", "a text b - n"), ("a=<f;type=text/x", "a fileAsText f text/x -"),
      ("a=b;type=text/x;;", "a text b;type=text/x;; - -"), (#"a="b""#, #"a text "b" - -"#),
      (#"a=@"f"#, #"a file "f - -"#),
      ("a=b;c=d", "a text b;c=d - -"), ("a=1;type=", "a text 1;type= - -"),
    ])
  func form(text: String, part: String) throws {
    #expect(try FormPart.reading(text).description == part)
  }

  @Test(
    "are not a part of a form",
    arguments: ["a", "=b", "a=@f;type=", "a=@f;type=t/u;", "a=@f;filename=n;type=t"])
  func badForm(text: String) { #expect(throws: ValueError.self) { try FormPart.reading(text) } }

  @Test("are refused without their sign")
  func refused() {
    #expect(throws: ValueError("expected 'Name: value' or @FILE")) { try Header.reading("A b") }
    #expect(throws: ValueError("expected 'Name: value' or @FILE")) { try Header.reading("") }
    for text in ["a", "", "=b"] {
      #expect(throws: ValueError("expected NAME=VALUE or NAME:=JSON")) {
        try Parameter.reading(text)
      }
    }
  }
}
