import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("--field")
struct FieldTests {
  @Test(
    "prints one value raw, found by its name or by a path",
    arguments: [
      ("a", "text"), ("n", "5"), ("t", "true"), ("none", ""), ("none.b.c", ""), ("o.b.c", "deep"),
      ("l.1", "two"),
      ("o", #"{"b":{"c":"deep"}}"#), ("l", #"["one","two"]"#), ("accessToken", "x"),
      ("access_token", "x"), ("https://example.com/role", "admin"),
      ("o2.https://example.com/role.0", "owner"),
    ])
  func values(path: String, text: String) throws {
    let document = try JSON(
      parsing: #"{"a":"text","n":5,"t":true,"none":null,"o":{"b":{"c":"deep"}},"l":["one","two"],"#
        + #""accessToken":"x","https://example.com/role":"admin","#
        + #""o2":{"https://example.com/role":["owner"]}}"#)
    let selection = FieldSelection(path)
    #expect(selection.lines(of: document, fallback: { nil }) == [text])
    #expect(selection.failure == nil)
  }

  @Test("prints a line for each element of an array, and each document of several")
  func several() {
    let selection = FieldSelection("a")
    #expect(selection.lines(of: [["a": "1"], ["a": 2]], fallback: { nil }) == ["1", "2"])
    #expect(selection.lines(of: ["a": "3"], fallback: { nil }) == ["3"])
    #expect(selection.failure == nil)
  }

  @Test("prints an empty line for a document without it, if another has it, which is read first")
  func held() {
    let selection = FieldSelection("a")
    #expect(selection.released("\n") == "")
    let documents: JSON = [["b": 1], ["a": 2], ["b": 3]]
    #expect(selection.lines(of: documents, fallback: { nil }) == ["", "2", ""])
    #expect(["\n", "\n2\n\n"].map(selection.released) == ["\n\n", "\n2\n\n"])
  }
}
