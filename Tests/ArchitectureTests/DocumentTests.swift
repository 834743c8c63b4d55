import Foundation
import Testing

@Suite("Documents")
struct DocumentTests {
  @Test(
    "name no file that does not exist",
    arguments: ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Tests/README.md"])
  func paths(document: String) throws {
    let text = try #require(Tree.text(of: document))
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

  @Test("are searched for links and paths")
  func looking() {
    let text = """
      See [it](A.md#b), [there](https://a.test/x.md) and `Sources/A/B.swift`, `C/`, `D.swift`;
      `sdkctl fetch /me`, `Sources/NOUN/V.swift`, `man/x-*.1`, `.build/x`, `a/b`, `Tests/X`.
      """
    #expect(Self.links(in: text) == ["A.md"])
    #expect(Self.paths(in: text) == ["Sources/A/B.swift", "C/", "D.swift", "Tests/X"])
  }

  @Test("of the architecture name no type and no member that does not exist")
  func names() throws {
    let names = Self.names(in: try #require(Tree.text(of: "ARCHITECTURE.md")))
    #expect(names.count > 25)
    for name in names { #expect(Self.isDeclared(name), "ARCHITECTURE.md names \(name)") }
  }

  @Test("are searched for types and members")
  func lookingForNames() {
    let text = """
      `Fetch.run`, `Gate`, `SIGPIPE`, `POSIX`, `Sources/Curl`, `a`, `Gate.x y`, `Globals.swift`
      """
    #expect(Self.names(in: text) == ["Fetch.run", "Gate"])
    #expect(Self.isDeclared("Launch.main"))
    #expect(!Self.isDeclared("Launch.noSuchMember"))
    #expect(!Self.isDeclared("NoSuchType"))
  }

  /// What stands in code quotes and looks like a type, or a type and its member.
  private static func names(in text: String) -> [String] {
    let quoted = text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
    let folders = Tree.paths(in: "Sources").map { String($0.split(separator: "/")[1]) }
    let modules = Set(folders).union(["Glibc", "Foundation", "Synchronization"])
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
  private static func isDeclared(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    let files = declarations.filter { $0.types.contains(parts[0]) }
    return parts.count > 1 ? files.contains { $0.members.contains(parts[1]) } : !files.isEmpty
  }

  /// The names that each file declares or extends, and those of its functions, properties and cases.
  private static let declarations: [(types: Set<String>, members: Set<String>)] = Tree.sources.map {
    file in
    var (types, members): (Set<String>, Set<String>) = ([], [])
    for line in file.lines {
      let words = line.split(separator: " ")
      for (keyword, word) in zip(words, words.dropFirst()) {
        let name = String(word.prefix { $0.isLetter || $0.isNumber })
        switch keyword {
        case "struct", "class", "enum", "protocol", "actor", "typealias", "extension":
          types.insert(name)
        case "func", "var", "let", "case": members.insert(name)
        default: break
        }
      }
    }
    return (types, members)
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
    "Sources", "Tests", "man", "completions", "docs", ".ci",
  ]
}
