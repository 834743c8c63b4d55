import Arguments
import POSIX
import TestSupport
import Testing

@testable import Commands

@Suite("Values of fetch")
struct FetchValueTests {
  @Test(
    "are a header field with everything behind the first colon",
    arguments: [
      ("A: b", "A", "b"), ("A:b", "A", "b"), ("A:  b c ", "A", "b c "), ("A:", "A", ""),
      ("A: b:c", "A", "b:c"), (": b", "", "b"), ("A : b", "A ", "b"),
      // The field is checked with the request, so a line break is kept until then.
      ("A: b\r\nC: d", "A", "b\r\nC: d"), ("A\r: b", "A\r", "b"),
    ])
  func header(text: String, name: String, value: String) throws {
    let fields = try Header.reading(text).fields(.standard)
    #expect(fields.map(\.name) == [name])
    #expect(fields.map(\.value) == [value])
  }

  @Test("are the header fields of a file, in order")
  func headerFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("A: b\n\nC:d\r\n", to: "fields")
    let fields = try Header.reading("@\(path)").fields(.standard)
    #expect(fields.map(\.name) == ["A", "C"])
    #expect(fields.map(\.value) == ["b", "d"])
    try folder.write("A: b\nno field\n", to: "fields")
    let malformed = #expect(throws: Failure.self) {
      try Header.reading("@\(path)").fields(.standard)
    }
    #expect(malformed?.exit == .usage)
    let missing = #expect(throws: Failure.self) {
      try Header.reading("@\(path).none").fields(.standard)
    }
    #expect(missing?.exit == .failure)
  }

  @Test(
    "are a parameter with everything behind the first equals sign",
    arguments: [
      ("a=b", "a", "b"), ("a=", "a", ""), ("a=b=c", "a", "b=c"), (" a = b", " a ", " b"),
      ("a=\u{301}=b", "a", "\u{301}=b"),
    ])
  func parameter(text: String, name: String, value: String) throws {
    let parameter = try Parameter.reading(text)
    #expect(parameter.name == name)
    #expect(parameter.value == value)
  }

  @Test("are refused without their sign")
  func refused() {
    #expect(throws: ValueError("expected 'Name: value' or @FILE")) { try Header.reading("A b") }
    #expect(throws: ValueError("expected 'Name: value' or @FILE")) { try Header.reading("") }
    for text in ["a", "", "=b"] {
      #expect(throws: ValueError("expected NAME=VALUE")) { try Parameter.reading(text) }
    }
  }
}
