import TestSupport
import Testing

@testable import Commands

@Suite("profile store key export")
struct ProfileStoreKeyExportTests {
  @Test("fails for a profile that has no key")
  func none() async throws {
    let program = try await TestProgram.loggedIn()
    let path = "\(program.folder.path)/work.key"
    let run = try await program.run("profile", "store", "key", "export", "--output", path)
    #expect(run.status != .status(.success), "\(run)")
  }
}
