import CoreTestSupport

@testable import Commands

@Suite("profile store key export")
struct ProfileStoreKeyExportTests {
  @Test("writes the key that was imported last, and replaces no file")
  func exported() async throws {
    let program = try await TestProgram.loggedIn()
    let (key, copy) = ("\(program.folder.path)/work.key", "\(program.folder.path)/copy.key")
    _ = try await program.run("profile", "store", "key", "export", "--new", "--output", key)
    let added = try await program.run("profile", "store", "key", "import", key, "--json")
    let id = try JSON(parsing: program.folder.text(of: "work.key"))["id"]
    #expect(added.json == ["profile": "work", "key": try #require(id)])
    for status in [ExitCode.success, .failure] {
      let run = try await program.run("profile", "store", "key", "export", "--output", copy)
      #expect(run.status == .status(status), "\(run)")
    }
    #expect(try program.folder.text(of: "copy.key") == program.folder.text(of: "work.key"))
  }
}
