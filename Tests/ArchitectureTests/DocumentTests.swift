import Foundation
import Testing

@Suite("Documents")
struct DocumentTests {
  @Test(
    "name no file that does not exist",
    arguments: ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Tests/README.md"])
  func paths(document: String) {
    guard let text = Tree.text(of: document) else { return }
    let all = Tree.paths(in: "Sources") + Tree.paths(in: "Tests")
    for path in Self.links(in: text) {
      #expect(Tree.exists(path), "\(document) links to \(path)")
    }
    for path in Self.paths(in: text) {
      // A name without its folder is one that the prose stands in.
      let name = path.hasSuffix("/") ? String(path.dropLast()) : path
      let isThere = Tree.exists(name) || all.contains { $0.hasSuffix("/\(name)") }
      #expect(isThere, "\(document) names \(path)")
    }
  }

  @Test("are looked through for links and paths")
  func looking() {
    let text = """
      See [it](A.md#b), [there](https://a.test/x.md) and `Sources/A/B.swift`, `C/`, `D.swift`;
      `sdkctl fetch /me`, `Sources/NOUN/V.swift`, `man/x-*.1`, `Sandbox/.build/x`, `a/b`, `Tests/X`.
      """
    #expect(Self.links(in: text) == ["A.md"])
    #expect(Self.paths(in: text) == ["Sources/A/B.swift", "C/", "D.swift", "Tests/X"])
  }

  @Test("of the architecture name no type and no member that does not exist")
  func names() throws {
    let names = Self.names(in: try #require(Tree.text(of: "ARCHITECTURE.md")))
    #expect(names.count > 25)
    for name in names { #expect(try Self.isDeclared(name), "ARCHITECTURE.md names \(name)") }
  }

  @Test("are looked through for types and members")
  func lookingForNames() throws {
    let text = """
      `Fetch.run`, `Gate`, `SIGPIPE`, `POSIX`, `Sources/Curl`, `a`, `Gate.x y`, `Globals.swift`
      """
    #expect(Self.names(in: text) == ["Fetch.run", "Gate"])
    #expect(try Self.isDeclared("Launch.main"))
    #expect(try !Self.isDeclared("Launch.noSuchMember"))
    #expect(try !Self.isDeclared("NoSuchType"))
  }

  /// What stands in code quotes and looks like a type, or a type and its member.
  private static func names(in text: String) -> [String] {
    let quoted = text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
    let modules = Set(Tree.sources.map(\.module)).union(["Glibc", "Foundation", "Synchronization"])
    return quoted.map(\.element).filter { word in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      guard let first = parts.first, first.first?.isUppercase == true, parts.count <= 2,
        !modules.contains(String(first)), !word.hasSuffix(".swift"), !word.hasSuffix(".md")
      else { return false }
      return first.contains(where: \.isLowercase)
        && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber } }
    }
  }

  /// Whether the sources declare a type, and the member in a file that declares or extends it.
  private static func isDeclared(_ name: String) throws -> Bool {
    let parts = name.split(separator: ".")
    let kinds = "(struct|class|enum|protocol|actor|typealias|extension)"
    let type = try Regex("\\b\(kinds) \(parts[0])\\b")
    let files = Tree.sources.filter { file in file.lines.contains { $0.contains(type) } }
    guard parts.count > 1 else { return !files.isEmpty }
    let member = try Regex("\\b(func|var|let|case) \(parts[1])\\b")
    return files.contains { file in file.lines.contains { $0.contains(member) } }
  }

  /// The targets of links within the tree.
  private static func links(in text: String) -> [String] {
    text.components(separatedBy: "](").dropFirst().compactMap { rest in
      let target = rest.prefix { $0 != ")" && $0 != "#" }
      return target.isEmpty || target.contains("://") ? nil : String(target)
    }
  }

  /// What stands in code quotes and looks like a path of this tree.
  private static func paths(in text: String) -> [String] {
    let quoted = text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
    return quoted.map(\.element).filter { word in
      let parts = word.split(separator: "/")
      let isNotOurs = parts.contains { part in
        part == ".build" || part.count > 1 && part.allSatisfy { $0.isUppercase }
      }
      guard let first = parts.first, !isNotOurs, !word.hasPrefix("/"),
        word.allSatisfy({ $0.isLetter || $0.isNumber || "/._+-".contains($0) })
      else { return false }
      return folders.contains(String(first)) && parts.count > 1 || word.hasSuffix(".swift")
        || (word.hasSuffix("/") && first.first?.isUppercase == true)
    }
  }

  private static let folders: Set<String> = [
    "Sources", "Tests", "Sandbox", "man", "completions", "docs", ".ci",
  ]
}
