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
    let again = try await program.run("profile", "store", "key", "create", "--output", path)
    #expect(again.status != .status(.success), "\(again)")
  }
}
