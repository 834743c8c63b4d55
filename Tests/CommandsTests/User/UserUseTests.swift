import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("user use")
struct UserUseTests {
  @Test("makes a user of the profile the current one, and no other")
  func use() async throws {
    let program = try await TestProgram.loggedIn()
    try await program.store("b1", of: try UserID("bob"))
    expect(
      try await program.run("user", "use", "bob"), .success,
      errors: "sdkctl: the current user of 'work' is 'bob'\n")
    #expect(try await program.run("token").output == "b1\n")
    let run = try await program.run("user", "use", "carol")
    #expect(run.status == .status(.usage))
    #expect(try await program.run("token").output == "b1\n")
  }
}
