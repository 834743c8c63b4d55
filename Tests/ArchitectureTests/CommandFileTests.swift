import Foundation
import Testing

/// Whoever knows the name of a command finds its file, its test and its manual page.
@Suite("A command")
struct CommandFileTests {
  @Test("is in a file that its words name, below the folder of its first word", arguments: commands)
  func source(command: String) {
    let name = Self.fileName(command)
    let noun = Self.noun(command)
    let found = Self.paths(in: "Sources/Commands", named: "\(name).swift")
    #expect(found.count == 1, "\(found)")
    let isInPlace = found.allSatisfy {
      $0.hasPrefix("sources/commands/\(noun)/") || $0 == "sources/commands/\(noun).swift"
    }
    #expect(isInPlace, "\(found)")
  }

  @Test("has scripts, or a test in Swift, that its words name", arguments: commands)
  func test(command: String) {
    let path =
      "tests/commandstests/\(Self.noun(command))/\(Self.fileName(command))tests.swift"
    let found = Self.paths(in: "Tests/CommandsTests", named: "\(Self.fileName(command))Tests.swift")
    let words = command.split(separator: " ")
    let verb = (words.count > 1 ? words.dropFirst() : words[...]).joined(separator: "-")
    let hasScripts = Tree.exists("Tests/Scripts/\(words[0])/\(verb).txt")
    #expect(found == [path] || found.isEmpty && hasScripts)
  }

  @Test("has a manual page that its words name")
  func manual() {
    #expect(Self.commands.count > 60)
    for command in Self.commands {
      let name = command.split(separator: " ").joined(separator: "-")
      #expect(Tree.exists("man/sdkctl-\(name).1"), "\(command)")
    }
  }

  /// The commands of the manual pages, which are generated from the command table.
  private static let commands: [String] = {
    let pages = Tree.paths(in: "man").filter { $0.hasPrefix("man/sdkctl") && $0.hasSuffix(".1") }
    let lines = pages.flatMap { (Tree.text(of: $0) ?? "").components(separatedBy: "\n") }
    let names = lines.filter { $0.hasPrefix(".Cm ") }.map { line in
      line.dropFirst(4).split(separator: "\\").joined()
    }
    return Set(names).sorted()
  }()

  /// `pinadd` for `pin add`: acronyms have other capitals than words.
  private static func fileName(_ command: String) -> String {
    command.filter { $0 != " " && $0 != "-" }
  }

  private static func noun(_ command: String) -> String {
    command.split(separator: " ").first.map { $0.filter { $0 != "-" } } ?? ""
  }

  /// The paths of the files of that name, in lower case.
  private static func paths(in folder: String, named name: String) -> [String] {
    Tree.paths(in: folder).map { $0.lowercased() }.filter { $0.hasSuffix("/\(name.lowercased())") }
  }
}
