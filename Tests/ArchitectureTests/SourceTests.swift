import Testing

@Suite("Source files")
struct SourceTests {
  @Test("have at most 300 lines", arguments: Tree.sources)
  func length(file: Tree.File) {
    #expect(file.lines.count <= 301)
  }

  @Test("say in a comment above why something unchecked is safe", arguments: Tree.sources)
  func unchecked(file: Tree.File) {
    for line in file.code where line.text.contains("@unchecked") {
      let above = line.number >= 2 ? file.lines[line.number - 2] : ""
      let isComment = above.drop { $0 == " " }.hasPrefix("//")
      #expect(isComment, "\(file):\(line.number)")
    }
  }

  @Test("do not trap, lie about threads or format by C", arguments: Tree.sources)
  func forbidden(file: Tree.File) {
    for line in file.code {
      for word in Self.words where line.text.contains(word) {
        Issue.record("\(file):\(line.number) contains \(word)")
      }
    }
  }

  @Test("of the program are one of at most 20 lines")
  func main() {
    let files = Tree.sources.filter { $0.module == "sdkctl" }
    #expect(files.map(\.path) == ["Sources/sdkctl/main.swift"])
    #expect(files.allSatisfy { $0.lines.count <= 21 })
  }

  /// A comment or a text may speak of them.
  @Test("are looked at without comments and texts")
  func stripping() {
    let quote = "\"\"\""
    let file = Tree.File(
      path: "Sources/X/a.swift",
      lines: [
        "let a = \"try! // \\\" fatalError(\" // as! ", quote, "fatalError(", quote,
        "/// nonisolated(unsafe)", "try! b", "import struct Foundation.Data",
        "@testable package import Glibc",
      ])
    let found = file.code.filter { line in Self.words.contains { line.text.contains($0) } }
    #expect(found.map(\.number) == [6])
    #expect(file.imports == ["Foundation", "Glibc"])
    #expect(file.module == "X")
  }

  private static let words = [
    "nonisolated(unsafe)", "try!", "as!", "fatalError(", "preconditionFailure(",
    "String(format:", "assertionFailure(",
  ]
}
