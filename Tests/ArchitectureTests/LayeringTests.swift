import Foundation
import Testing

@Suite("Modules")
struct LayeringTests {
  /// The modules of Package.swift, lowest layer first, and what each may import.
  private static let modules: [(name: String, imports: Set<String>)] = {
    let flat = (Tree.text(of: "Package.swift") ?? "").filter { !$0.isWhitespace }
    let targets = flat.prefix(upTo: flat.range(of: "\"TestSupport\"")?.lowerBound ?? flat.endIndex)
    let row =
      #/
      (?:module|\.(?:executableT|t)arget)\((?:name:)?
      "([A-Za-z-]+)"(?:,(?:imports|dependencies):\[([^\]]*)\])?
      /#
    return targets.matches(of: row).map { match in
      let names = (match.2 ?? "").split(separator: ",").map { $0.filter { $0 != "\"" } }
      return (String(match.1), Set(names))
    }
  }()

  /// What comes with the compiler, and who may use it.
  private static let outside: [String: Set<String>?] = [
    "Synchronization": nil, "Glibc": ["POSIX"], "Musl": ["POSIX"],
    "Darwin": ["POSIX"],
  ]

  @Test("are the folders of Sources")
  func folders() {
    let found = Set(Tree.paths(in: "Sources").map { $0.split(separator: "/")[1] }.map(String.init))
    #expect(found == Set(Self.modules.map(\.name)))
    #expect(Tree.sources.count > 200)
  }

  @Test("import only lower modules")
  func order() {
    var below: Set<String> = []
    for module in Self.modules {
      #expect(module.imports.isSubset(of: below), "\(module.name)")
      below.insert(module.name)
    }
  }

  @Test("import what their row names, and nothing else", arguments: Tree.sources)
  func imports(file: Tree.File) throws {
    let module = try #require(Self.modules.first { $0.name == file.module })
    for name in file.imports {
      let isAllowed =
        switch Self.outside[name] {
        case .some(.some(let users)): users.contains(file.module)
        case .some(.none): true
        case .none: module.imports.contains(name)
        }
      #expect(isAllowed, "\(file) imports \(name)")
    }
  }

  @Test("are all that the package has: it depends on no package")
  func package() throws {
    #expect(try #require(Tree.text(of: "Package.swift")).contains(".package(") == false)
  }

  @Test("are those of ARCHITECTURE.md")
  func architecture() throws {
    let text = try #require(Tree.text(of: "ARCHITECTURE.md"))
    for module in Self.modules {
      let row = text.split(separator: "\n").first { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return cells.count > 2 && cells[1] == "`\(module.name)`"
      }
      let cells = try #require(row, "\(module.name)").split(separator: "|")
      let words = (cells.last ?? "").split { ", `".contains($0) }.map(String.init)
      // The rows of the upper layers use words.
      let names = Set(Self.modules.map(\.name))
      guard words.allSatisfy({ names.contains($0) || $0 == "–" }) else { continue }
      #expect(Set(words).subtracting(["–"]) == module.imports, "\(module.name)")
    }
  }
}

extension Tree.File {
  /// The modules that the file imports.
  var imports: [String] {
    code.compactMap { line in
      let words = line.text.split(separator: " ").map(String.init)
      guard let index = words.firstIndex(of: "import"),
        words[..<index].allSatisfy({ Self.modifiers.contains($0) || $0.hasPrefix("@") }),
        var name = words.dropFirst(index + 1).first
      else { return nil }
      // `import struct Module.Name` is an import of the module too.
      if Self.kinds.contains(name) { name = words.dropFirst(index + 2).first ?? "" }
      return name.split(separator: ".").first.map(String.init)
    }
  }

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set<String> = [
    "struct", "class", "enum", "func", "protocol", "typealias", "var", "let",
  ]
}
