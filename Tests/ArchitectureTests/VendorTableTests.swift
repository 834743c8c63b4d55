import Foundation
import Testing

/// The tables of docs/vendors.md that name a symbol of the library, a command and a test.
@Suite("The tables of vendors")
struct VendorTableTests {
  private struct Row: CustomStringConvertible {
    let library: String
    let command: String
    let test: String
    let description: String
  }

  @Test("name a symbol or setting, a command and a test in each row, and all of them exist")
  func rows() throws {
    let rows = Self.rows(in: try #require(Tree.text(of: "docs/vendors.md")))
    #expect(rows.count > 25)
    for row in rows {
      for cell in [row.library, row.command, row.test] {
        #expect(cell != "–" && !cell.isEmpty, "\(row)")
      }
      for name in Self.quoted(row.library) where Self.isSymbol(name) {
        #expect(Self.isPublic(name), "\(name) in: \(row)")
      }
      for command in Self.quoted(row.command) {
        #expect(Self.isCommand(command), "\(command) in: \(row)")
      }
      let tests = Self.quoted(row.test)
      #expect(!tests.isEmpty, "\(row)")
      for name in tests { #expect(Self.isTest(name), "\(name) in: \(row)") }
    }
  }

  @Test("are searched for names that do not exist")
  func looking() {
    let rows = Self.rows(
      in:
        "| a | library | command | test |\n|---|---|---|---|\n| x | `A.b` | `c` | `D` |\n\n| 1 | 2 |\n"
    )
    #expect(rows.map(\.library) == ["`A.b`"])
    #expect(Self.isPublic("UserClient.send") && !Self.isPublic("UserClient.noSuch"))
    #expect(!Self.isPublic("NoSuchType") && !Self.isPublic("OneginiConfiguration"))
    #expect(
      Self.isPublic("RequestObserver.reauthenticate") && !Self.isPublic("Profile.ownEndpoint"))
    #expect(Self.isCommand("fetch METHOD PATH --param") && Self.isCommand("form.page=false"))
    #expect(!Self.isCommand("fetch --no-such") && !Self.isCommand("none.such=1"))
    #expect(!Self.isCommand("nosuch"))
    #expect(Self.isTest("ReauthenticationTests") && Self.isTest("test_fetch.py"))
    #expect(!Self.isTest("NoSuchTests") && !Self.isTest("Tests/test_none.py"))
  }

  /// The rows of tables whose last three columns are library, command and test.
  private static func rows(in text: String) -> [Row] {
    var rows: [Row] = []
    var isTable = false
    for line in text.components(separatedBy: "\n") {
      guard line.hasPrefix("|") else {
        isTable = false
        continue
      }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count == 4, cells.suffix(3) == ["library", "command", "test"] {
        isTable = true
      } else if isTable, cells.count == 4, !line.hasPrefix("|---") {
        rows.append(Row(library: cells[1], command: cells[2], test: cells[3], description: line))
      }
    }
    return rows
  }

  private static func quoted(_ text: String) -> [String] {
    text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// Whether a word looks like a type, or a type and its member.
  private static func isSymbol(_ word: String) -> Bool {
    word.first?.isUppercase == true
      && word.split(separator: ".", omittingEmptySubsequences: false).count <= 2
  }

  /// The files that declare or extend each type.
  private static let declaring: [String: [Tree.File]] = types { _ in true }
  /// The files that declare each public type.
  private static let publishing: [String: [Tree.File]] = types { $0.contains("public") }

  private static func types(_ counts: ([Substring]) -> Bool) -> [String: [Tree.File]] {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "actor", "extension", "typealias",
    ]
    var files: [String: [Tree.File]] = [:]
    for file in Tree.sources {
      var names: Set<String> = []
      for line in file.lines {
        let words = line.split(separator: " ")
        guard counts(words) else { continue }
        for (kind, name) in zip(words, words.dropFirst()) where kinds.contains(kind) {
          names.insert(String(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
        }
      }
      for name in names { files[name, default: []].append(file) }
    }
    return files
  }

  /// Whether a program that uses the library can name it; the members of a public protocol and the cases of an
  /// enumeration are as public as the type.
  private static func isPublic(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    guard let declared = publishing[parts[0]] else { return false }
    guard parts.count > 1 else { return true }
    let words =
      ["func \(parts[1])("]
      + ["var", "let", "case", "struct"].map { "\($0) \(parts[1])" }
    let isProtocol = declared.contains { file in
      file.lines.contains { $0.contains("public protocol \(parts[0])") }
    }
    return (declaring[parts[0]] ?? []).contains { file in
      file.lines.contains { line in
        words.contains { line.contains($0) }
          && (isProtocol || line.contains("public ") || line.contains("case "))
      }
    }
  }

  /// A command line with its options, or a setting of a profile: all of them have a manual page.
  ///
  /// Words in capitals are placeholders, and `fg` is the shell's.
  private static func isCommand(_ text: String) -> Bool {
    text.split(separator: " ").enumerated().allSatisfy { position, word in
      if word.allSatisfy(\.isUppercase) || word == "fg" { return true }
      if word.hasPrefix("-") {
        let option = word.dropFirst().replacingOccurrences(of: "-", with: "\\-")
        return pages.contains {
          $0.contains("Fl \(option)") || $0.contains("Fl \\&\(option)")
        }
      }
      if word.contains("=") || word.contains(".") {
        let name = word.prefix { $0 != "=" }
        return Tree.text(of: "man/sdkctl-profiles.7")?.contains("\\fB\(name)\\fP:") == true
      }
      return position > 0 || Tree.exists("man/sdkctl-\(word).1")
    }
  }

  private static let pages = Tree.paths(in: "man").compactMap { Tree.text(of: $0) }

  /// A file of the tests: `NAMETests` is a Swift file of that name, or a suite in one.
  private static func isTest(_ name: String) -> Bool {
    if name.contains("/") { return Tree.exists(name) }
    let file = name.hasSuffix(".py") ? name : "\(name).swift"
    if tests.contains(where: { $0.hasSuffix("/\(file)") }) { return true }
    return tests.contains { path in
      path.hasSuffix(".swift") && Tree.text(of: path)?.contains("struct \(name) {") == true
    }
  }

  private static let tests = Tree.paths(in: "Tests")
}
