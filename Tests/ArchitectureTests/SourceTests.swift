import Primitives
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

  @Test(
    "do not trap, claim to be Sendable without a check, or format with C", arguments: Tree.sources)
  func forbidden(file: Tree.File) {
    for line in file.code {
      for word in Self.words where line.text.contains(word) {
        Issue.record("\(file):\(line.number) contains \(word)")
      }
    }
  }

  @Test("of the program are one of at most 20 lines")
  func main() {
    let files = Tree.sources.filter { $0.module.hasPrefix("sdkctl") }
    #expect(
      files.map(\.path).sorted() == [
        "Sources/sdkctl-sandbox/main.swift", "Sources/sdkctl/main.swift",
      ])
    #expect(files.allSatisfy { $0.lines.count <= 21 })
  }

  /// A program that embeds the library has another name, and other commands.
  @Test("of the library name neither the program nor its commands", arguments: Tree.product)
  func programName(file: Tree.File) {
    guard !["Commands", "sdkctl"].contains(file.module) else { return }
    // The directories of the default store are those of the program: see docs/library.md.
    guard !file.path.hasSuffix("/StoreLocation.swift") else { return }
    for line in file.literals where line.text.contains("sdkctl") {
      Issue.record(
        "\(file):\(line.number) names the program: take a Remedy or a parameter of the caller")
    }
  }

  /// What would help is a ``Remedy``, which the program shows as an option.
  @Test("of the library name no option of a command line", arguments: Tree.product)
  func options(file: Tree.File) {
    guard !["Arguments", "Commands", "sdkctl"].contains(file.module) else { return }
    for line in file.literals {
      for word in line.text.split(whereSeparator: { !"-".contains($0) && !$0.isLetter })
      where word.hasPrefix("--") && word.dropFirst(2).first?.isLetter == true {
        Issue.record("\(file):\(line.number) names the option \(word)")
      }
    }
  }

  @Test("have literals, without comments and code")
  func literals() {
    let quote = "\"\"\""
    let file = Tree.File(
      path: "Sources/X/a.swift",
      lines: [
        "let sdkctl = \"a \\\" b\" // \"c\"", "/// \"sdkctl d\"", quote, "sdkctl \"e\"", quote,
        "f(\"g\", \"h\")",
      ])
    let found = file.literals.filter { !$0.text.isEmpty }
    #expect(found.map(\.number) == [1, 4, 6])
    #expect(found.map(\.text) == ["a \\\" b", "sdkctl \"e\"", "gh"])
  }

  /// A comment or a text may speak of them.
  @Test("are read without comments and texts")
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

/// Numbers from files and servers may be the largest that there are; `Timestamp` clamps what is
/// calculated with them.
@Suite("Arithmetic with times")
struct ArithmeticTests {
  @Test("uses Timestamp, which is clamped, and not its number", arguments: Tree.product)
  func clamped(file: Tree.File) {
    guard Self.modules.contains(file.module) else { return }
    for line in file.code where Self.isUnchecked(line.text) {
      Issue.record("\(file):\(line.number): calculate with Timestamp")
    }
  }

  @Test(
    "is recognised",
    arguments: [
      ("let a = now.seconds - time", true), ("let a = now().seconds + time", true),
      ("x(time - now().seconds)", true), ("a + now.seconds", true), ("$0.seconds - b", true),
      ("now + .seconds(1)", false), ("now + a.components.seconds", false),
      ("a.components.seconds * 2", false), ("now.seconds(since: time)", false),
    ])
  func recognised(text: String, isUnchecked: Bool) {
    #expect(Self.isUnchecked(text) == isUnchecked)
  }

  private static let modules = [
    "Pinning", "Curl", "JOSE", "OAuth", "SDKCore", "Commands",
  ]

  private static func isUnchecked(_ text: String) -> Bool {
    guard text.contains("seconds") else { return false }  // The patterns are slow.
    let text = text.replacing("components.seconds", with: "duration")
    return text.contains(#/\.seconds [-+*] /#)
      || text.contains(#/ [-+*] [A-Za-z0-9_$.()]+\.seconds($|[^A-Za-z(])/#)
  }
}
