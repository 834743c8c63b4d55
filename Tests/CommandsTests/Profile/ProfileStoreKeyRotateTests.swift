import TestSupport
import Testing

@testable import Commands

@Suite("profile store key rotate")
struct ProfileStoreKeyRotateTests {
  @Test("fails for a profile whose secrets are in files")
  func files() async throws {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run("profile", "store", "key", "rotate")
    #expect(run.status == .status(.usage), "\(run)")
    #expect(run.errors.contains("are in no shared store"), "\(run)")
  }
}
