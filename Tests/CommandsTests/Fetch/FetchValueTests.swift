import Arguments
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
    let header = try Header.reading(text)
    #expect(header.name == name)
    #expect(header.value == value)
  }

  @Test(
    "are a parameter with everything behind the first equals sign",
    arguments: [
      ("a=b", "a", "b"), ("a=", "a", ""), ("a=b=c", "a", "b=c"), (" a = b", " a ", " b"),
    ])
  func parameter(text: String, name: String, value: String) throws {
    let parameter = try Parameter.reading(text)
    #expect(parameter.name == name)
    #expect(parameter.value == value)
  }

  @Test("are refused without their sign")
  func refused() {
    #expect(throws: ValueError("expected 'Name: value'")) { try Header.reading("A b") }
    #expect(throws: ValueError("expected 'Name: value'")) { try Header.reading("") }
    for text in ["a", "", "=b"] {
      #expect(throws: ValueError("expected NAME=VALUE")) { try Parameter.reading(text) }
    }
  }
}
