import CoreTestSupport

@testable import Commands

@Suite("profile store key import")
struct ProfileStoreKeyImportTests {
  @Test("adds a key, whose id it prints to the person")
  func added() async throws {
    let program = try await TestProgram.loggedIn()
    let path = "\(program.folder.path)/work.key"
    _ = try await program.run("profile", "store", "key", "export", "--new", "--output", path)
    let run = try await program.run("profile", "store", "key", "import", path)
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.output.isEmpty && run.errors.contains("has the key "), "\(run)")
    let json = try await program.run("profile", "store", "key", "import", path, "--json")
    let id = try JSON(parsing: program.folder.text(of: "work.key"))["id"]
    #expect(try JSON(parsing: json.output) == ["profile": "work", "key": try #require(id)])
  }
}
