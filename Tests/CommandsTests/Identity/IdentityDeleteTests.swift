import JSON
import OpenSSL
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("identity delete")
struct IdentityDeleteTests {
  @Test("asks, and removes the files")
  func delete() async throws {
    let program = try await TestProgram.withConditions()
    #expect(try await program.run("identity", "delete", "good").status == .status(.usage))
    program.terminal.connect(.input, .errors)
    program.terminal.type("n", "y")
    #expect(try await program.run("identity", "delete", "good").status == .status(.declined))
    expect(
      try await program.run("identity", "delete", "good"), .success,
      errors: "sdkctl: deleted the identity 'good'\n")
    #expect(
      program.terminal.prompts.last == "Delete the identity good (CN=good) and its key?")
    #expect(!program.folder.exists("store/state/profiles/work/identities/good"))
    #expect(try await program.run("identity", "delete", "x", "-y").status == .status(.identity))
  }
}
