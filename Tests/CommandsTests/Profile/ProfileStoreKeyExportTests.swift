import CoreTestSupport

@testable import Commands

@Suite("profile store key export")
struct ProfileStoreKeyExportTests {
  @Test("writes the key that was imported last, and replaces no file")
  func exported() async throws {
    let program = try await TestProgram.loggedIn()
    let (key, copy) = ("\(program.folder.path)/work.key", "\(program.folder.path)/copy.key")
    _ = try await program.run("profile", "store", "key", "export", "--new", "--output", key)
    _ = try await program.run("profile", "store", "key", "import", key)
    for status in [ExitCode.success, .failure] {
      let run = try await program.run("profile", "store", "key", "export", "--output", copy)
      #expect(run.status == .status(status), "\(run)")
    }
    #expect(try program.folder.text(of: "copy.key") == program.folder.text(of: "work.key"))
  }

  @Test("makes a key that is for its owner only, and replaces no file")
  func made() async throws {
    let program = try await TestProgram.loggedIn()
    let words = ["profile", "store", "key", "export", "--new"]
    let path = "\(program.folder.path)/work.key"
    let run = try await program.run(words + ["--output", path])
    #expect(run.status == .status(.success), "\(run)")
    let key = try program.folder.text(of: "work.key")
    let again = try await program.run(words + ["--output", path])
    #expect(again.status == .status(.failure), "\(again)")
    #expect(
      again.errors == "sdkctl: error: could not write the key: '\(path)' exists\n"
        + "sdkctl: hint: choose another file\n")
    #expect(try program.folder.text(of: "work.key") == key)
    let printed = try await program.run(words)
    #expect(printed.output.hasPrefix(#"{"id":""#) && printed.output != key, "\(printed)")
  }
}
