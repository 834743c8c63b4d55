import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile unseal")
struct ProfileUnsealTests {
  @Test("stores the refresh token as it was")
  func unsealed() async throws {
    let program = try await ProfileSealTests.sealed()
    for pin in ["31415", "27182"] { program.terminal.type(pin) }
    let run = try await program.run("profile", "unseal", "--json")
    #expect(run.json == ["profile": "work", "sealed": []], "\(run)")
    #expect(run.errors.contains("the last passcode was wrong; 4 more tries"))
    #expect(try await program.stored()?.refreshToken == "refresh-1")
  }

  @Test("has nothing to do where nothing is sealed")
  func nothing() async throws {
    let program = try await TestProgram.loggedIn()
    expect(
      try await program.run("profile", "unseal"), .success,
      errors: "sdkctl: nothing is sealed in 'work'\n")
  }
}
