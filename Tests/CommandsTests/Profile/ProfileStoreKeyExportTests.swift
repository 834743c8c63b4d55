import TestSupport
import Testing

@testable import Commands

@Suite("profile store key export")
struct ProfileStoreKeyExportTests {
  @Test("writes the key that was imported last, and replaces no file")
  func exported() async throws {
    let program = try await TestProgram.loggedIn()
    let (key, copy) = ("\(program.folder.path)/work.key", "\(program.folder.path)/copy.key")
    _ = try await program.run("profile", "store", "key", "create", "--output", key)
    _ = try await program.run("profile", "store", "key", "import", key)
    for status in [ExitCode.success, .failure] {
      let run = try await program.run("profile", "store", "key", "export", "--output", copy)
      #expect(run.status == .status(status), "\(run)")
    }
    #expect(try program.folder.text(of: "copy.key") == program.folder.text(of: "work.key"))
  }

  @Test("fails for a profile that has no key")
  func none() async throws {
    let program = try await TestProgram.loggedIn()
    let path = "\(program.folder.path)/work.key"
    let run = try await program.run("profile", "store", "key", "export", "--output", path)
    #expect(run.status == .status(.configuration), "\(run)")
    #expect(!program.folder.exists("work.key"))
  }
}
