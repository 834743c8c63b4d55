import CoreTestSupport

@testable import Commands

@Suite("profile passcode")
struct ProfilePasscodeTests {
  @Test("changes the passcode of what is sealed", arguments: [false, true])
  func changed(asJSON: Bool) async throws {
    let program = try await ProfileSealTests.sealed()
    for passcode in ["27182", "31415", "31415"] { program.terminal.type(passcode) }
    let run = try await program.run(["profile", "passcode"] + (asJSON ? ["--json"] : []))
    #expect(run.status == .status(.success), "\(run)")
    if asJSON { return #expect(run.json == ["profile": "work"]) }
    #expect(run.errors == "sdkctl: changed the passcode of the sealed secrets of 'work'\n")
  }

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
