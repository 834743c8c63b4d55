import TestSupport

/// Commands as their manual shows them: Tests/Scripts.
@Suite("Scripts")
struct ScriptTests {
  static let names = scriptNames(in: "Tests/Scripts").sorted()

  @Test("end as they are written", arguments: names)
  func script(name: String) async throws {
    try expectFile(name, try await ScriptFile.played(try Repository.text(of: name)))
  }

  @Test("are found")
  func found() { #expect(Self.names.count > 10) }

  private static func scriptNames(in folder: String) -> [String] {
    ((try? Repository.names(in: folder)) ?? []).flatMap { name in
      let path = "\(folder)/\(name)"
      if !name.hasSuffix(".txt") { return scriptNames(in: path) }
      return path.hasSuffix("Scripts/options.txt") ? [] : [path]
    }
  }
}
