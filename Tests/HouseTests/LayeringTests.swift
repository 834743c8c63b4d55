import Foundation
import Testing

@Suite("Floors")
struct LayeringTests {
  /// What each module may import of the house, lowest floor first.
  private static let floors: [(module: String, imports: Set<String>)] = [
    ("CCurl", []), ("COpenSSL", []), ("CPOSIX", []),
    ("POSIX", ["CPOSIX"]), ("JSON", []), ("HTTP", []), ("Arguments", []),
    ("OpenSSL", ["COpenSSL"]), ("JOSE", ["OpenSSL", "JSON"]), ("Pinning", ["OpenSSL"]),
    ("Curl", ["CCurl", "HTTP", "OpenSSL", "Pinning"]),
    ("OAuth", ["HTTP", "JOSE", "JSON", "POSIX"]),
    ("SDKCore", ["Curl", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX"]),
    (
      "Commands",
      ["Arguments", "HTTP", "JOSE", "JSON", "OAuth", "Pinning", "POSIX", "SDKCore"]
    ),
    ("sdkctl", ["Commands"]),
  ]

  /// What comes with the compiler, and who may use it.
  private static let outside: [String: Set<String>?] = [
    "Synchronization": nil, "Glibc": ["POSIX"], "Musl": ["POSIX"], "Darwin": ["POSIX"],
  ]

  @Test("are the folders of the sources")
  func folders() {
    let found = Set(Tree.paths(in: "Sources").map { $0.split(separator: "/")[1] }.map(String.init))
    #expect(found == Set(Self.floors.map(\.module)))
    #expect(Tree.sources.count > 200)
  }

  @Test("are imported from above only")
  func order() {
    var below: Set<String> = []
    for floor in Self.floors {
      #expect(floor.imports.isSubset(of: below), "\(floor.module)")
      below.insert(floor.module)
    }
  }

  @Test("import what their row names, and nothing else", arguments: Tree.sources)
  func imports(file: Tree.File) throws {
    let floor = try #require(Self.floors.first { $0.module == file.module })
    for name in file.imports {
      let isAllowed =
        switch Self.outside[name] {
        case .some(.some(let users)): users.contains(file.module)
        case .some(.none): true
        case .none: floor.imports.contains(name)
        }
      #expect(isAllowed, "\(file) imports \(name)")
    }
  }

  @Test("are the dependencies of the package, target by target")
  func package() throws {
    let text = try #require(Tree.text(of: "Package.swift"))
    let flat = text.components(separatedBy: .whitespacesAndNewlines).joined()
    #expect(!flat.contains(".package("), "the root package depends on no package")
    for floor in Self.floors where !floor.imports.isEmpty && floor.module != "sdkctl" {
      let start = try #require(flat.range(of: "room(\"\(floor.module)\",imports:["))
      let list = flat[start.upperBound...].prefix { $0 != "]" }
      let names = list.split(separator: ",").map { $0.filter { $0 != "\"" } }
      #expect(Set(names) == floor.imports, "\(floor.module)")
    }
  }

  @Test("are those that ARCHITECTURE.md tells of")
  func architecture() throws {
    guard let text = Tree.text(of: "ARCHITECTURE.md") else { return }
    for floor in Self.floors {
      let row = text.split(separator: "\n").first { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return cells.count > 2 && cells[1] == "`\(floor.module)`"
      }
      let cells = try #require(row, "\(floor.module)").split(separator: "|")
      let words = (cells.last ?? "").split { ", `".contains($0) }.map(String.init)
      // The upper rows say it in words.
      let modules = Set(Self.floors.map(\.module))
      guard words.allSatisfy({ modules.contains($0) || $0 == "–" }) else { continue }
      #expect(Set(words).subtracting(["–"]) == floor.imports, "\(floor.module)")
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
