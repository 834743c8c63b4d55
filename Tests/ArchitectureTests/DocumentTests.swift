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
