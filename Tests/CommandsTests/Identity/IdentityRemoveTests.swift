import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("identity remove")
struct IdentityRemoveTests {
  @Test("asks, and removes the files")
  func remove() async throws {
    let program = try await TestProgram.withConditions()
    #expect(try await program.run("identity", "remove", "good").status == .status(.usage))
    program.terminal.connect(.input, .errors)
    program.terminal.type("n", "y")
    #expect(try await program.run("identity", "remove", "good").status == .status(.declined))
    expect(
      try await program.run("identity", "remove", "good"), .success,
      errors: "sdkctl: removed the identity 'good'\n")
    #expect(
      program.terminal.prompts.last == "Remove the identity good (CN=good) and its key?")
    #expect(!program.folder.exists("store/state/profiles/work/identities/good"))
    #expect(try await program.run("identity", "remove", "x", "-y").status == .status(.identity))
  }
}
