import TestSupport
import Testing

@testable import Commands

@Suite("profile store key import")
struct ProfileStoreKeyImportTests {
  @Test("refuses a file that is no key")
  func damaged() async throws {
    let program = try await TestProgram.loggedIn()
    _ = try program.folder.write("no key", to: "bad.key", mode: 0o600)
    let path = "\(program.folder.path)/bad.key"
    let run = try await program.run("profile", "store", "key", "import", path)
    #expect(run.status != .status(.success), "\(run)")
  }
}
