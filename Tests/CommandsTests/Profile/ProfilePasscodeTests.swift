import CoreTestSupport

@testable import Commands

@Suite("profile passcode")
struct ProfilePasscodeTests {
  @Test("asks nobody if nothing is sealed, with or without FIDO keys")
  func none() async throws {
    let (program, _) = try await FIDORegisterTests.registered()
    expect(
      try await program.run("profile", "passcode"), .authenticationRequired,
      errors: """
        sdkctl: error: could not change the passcode of 'work': nothing is sealed
        sdkctl: hint: sdkctl -p work profile seal

        """)
    #expect(program.terminal.prompts.isEmpty)
  }
}
