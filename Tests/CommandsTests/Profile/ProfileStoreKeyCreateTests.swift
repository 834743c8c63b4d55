import TestSupport
import Testing

@testable import Commands

@Suite("profile store key create")
struct ProfileStoreKeyCreateTests {
  @Test("writes a key that is for its owner only, and replaces no file")
  func created() async throws {
    let program = try await TestProgram.loggedIn()
    let path = "\(program.folder.path)/work.key"
    let run = try await program.run("profile", "store", "key", "create", "--output", path)
    #expect(run.status == .status(.success), "\(run)")
    let key = try program.folder.text(of: "work.key")
    let again = try await program.run("profile", "store", "key", "create", "--output", path)
    #expect(again.status == .status(.failure), "\(again)")
    #expect(
      again.errors == "sdkctl: error: could not write the key: '\(path)' exists\n"
        + "sdkctl: hint: choose another file\n")
    #expect(try program.folder.text(of: "work.key") == key)
  }

  @Test("prints a key on standard output")
  func printed() async throws {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run("profile", "store", "key", "create")
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.output.hasPrefix(#"{"id":""#), "\(run)")
  }
}
