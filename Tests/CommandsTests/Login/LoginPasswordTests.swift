import CoreTestSupport

@testable import Commands

@Suite("login password")
struct LoginPasswordTests {
  @Test(
    "is declined if nothing is typed",
    arguments: [(TerminalError.endOfInput, "nothing was typed"), (.cancelled, "cancelled")])
  func notTyped(error: TerminalError, cause: String) async throws {
    let program = try await LoginTests.program(["passwordGrant": true])
    program.terminal.fail(error)
    expect(
      try await program.run("login", "password", "alice"), .declined,
      errors: "sdkctl: error: could not ask for the password: \(cause)\n")
  }
}
