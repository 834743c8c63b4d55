import Foundation
import Testing

@Suite("Modules")
struct LayeringTests {
  /// The modules, lowest layer first, and what each may import.
  private static let modules: [(name: String, imports: Set<String>)] = [
    ("CPOSIX", []), ("CCurl", ["CPOSIX"]), ("COpenSSL", ["CPOSIX"]), ("CMicroHTTPD", ["CPOSIX"]),
    ("Primitives", ["CPOSIX"]), ("POSIX", ["CPOSIX", "Primitives"]), ("JSON", ["Primitives"]),
    ("HTTP", ["Primitives"]), ("Arguments", ["Primitives"]),
    ("OpenSSL", ["COpenSSL", "Primitives"]), ("JOSE", ["OpenSSL", "JSON", "Primitives"]),
    ("WebForms", ["HTTP", "Primitives"]), ("PropertyLists", ["POSIX", "Primitives"]),
    ("Pinning", ["OpenSSL", "Primitives"]),
    ("Curl", ["CCurl", "HTTP", "OpenSSL", "Pinning", "POSIX", "Primitives"]),
    ("HTTPServer", ["CMicroHTTPD", "HTTP", "POSIX", "Primitives"]),
    ("OAuth", ["HTTP", "JOSE", "JSON", "OpenSSL", "POSIX", "Primitives"]),
    ("UAF", ["HTTP", "JSON", "OpenSSL", "Primitives"]),
    (
      "SDKCore",
      [
        "Curl", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX", "Primitives",
      ]
    ),
    ("PinFormats", ["Pinning", "Primitives", "PropertyLists", "SDKCore"]),
    (
      "AppConfigurations",
      [
        "HTTP", "JSON", "OpenSSL", "Pinning", "POSIX", "Primitives", "PropertyLists", "SDKCore",
      ]
    ),
    (
      "PageLogin",
      ["HTTP", "JOSE", "JSON", "OpenSSL", "POSIX", "Primitives", "SDKCore", "WebForms"]
    ),
    (
      "FIDO",
      ["HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "POSIX", "Primitives", "SDKCore", "UAF"]
    ),
    (
      "Checkup",
      [
        "Curl", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX", "Primitives",
        "SDKCore",
      ]
    ),
    (
      "LocalProxy",
      ["HTTP", "HTTPServer", "JSON", "OpenSSL", "POSIX", "Primitives", "SDKCore"]
    ),
    (
      "SharedStore",
      ["HTTP", "JSON", "OpenSSL", "Pinning", "POSIX", "Primitives", "SDKCore"]
    ),
    (
      "Commands",
      [
        "AppConfigurations", "Arguments", "Checkup", "FIDO", "HTTP", "JOSE", "JSON", "LocalProxy",
        "OAuth", "PageLogin", "PinFormats", "Pinning", "POSIX", "Primitives", "SDKCore",
        "SharedStore", "UAF",
      ]
    ),
    ("sdkctl", ["Commands"]),
    ("CGnuTLS", []),
    (
      "Sandbox",
      ["Arguments", "CGnuTLS", "HTTP", "HTTPServer", "JSON", "POSIX", "Primitives"]
    ),
    ("sdkctl-sandbox", ["Sandbox"]),
  ]

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

  @Test("are the dependencies of the package, target by target")
  func package() throws {
    let text = try #require(Tree.text(of: "Package.swift"))
    let flat = text.components(separatedBy: .whitespacesAndNewlines).joined()
    #expect(!flat.contains(".package("), "the root package depends on no package")
    for module in Self.modules where !module.imports.isEmpty && !module.name.hasPrefix("sdkctl") {
      let start = try #require(flat.range(of: "module(\"\(module.name)\",imports:["))
      let list = flat[start.upperBound...].prefix { $0 != "]" }
      let names = list.split(separator: ",").map { $0.filter { $0 != "\"" } }
      #expect(Set(names) == module.imports, "\(module.name)")
    }
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
