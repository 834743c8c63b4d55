import CoreTestSupport

@testable import Commands

@Suite("fido passcode")
struct FIDOPasscodeTests {
  @Test("changes the passcode, typed or from files")
  func changed() async throws {
    let (program, _) = try await FIDORegisterTests.registered()
    for pin in ["271828", "314159", "314159"] { program.terminal.type(pin) }
    expect(
      try await program.run("fido", "passcode"), .success,
      errors: "sdkctl: changed the passcode of the FIDO keys of 'work'\n")
    #expect(
      program.terminal.prompts == [
        "Passcode of the FIDO keys: ", "New passcode: ", "The same again: ",
      ])
    let old = try program.folder.write("314159\n", to: "old", mode: 0o600)
    let new = try program.folder.write("161803\n", to: "new", mode: 0o600)
    let run = try await program.run(
      "fido", "passcode", "--passcode-file", old, "--new-passcode-file", new)
    #expect(run.status == .status(.success), "\(run)")
    #expect(
      try await program.run("fido", "login", "--passcode-file", new).status == .status(.success))
  }

  @Test("refuses a wrong passcode, and one that the policy does not allow")
  func refused() async throws {
    let (program, _) = try await FIDORegisterTests.registered()
    let wrong = try program.folder.write("000001\n", to: "old", mode: 0o600)
    let new = try program.folder.write("161803\n", to: "new", mode: 0o600)
    let run = try await program.run(
      "fido", "passcode", "--passcode-file", wrong, "--new-passcode-file", new)
    #expect(run.status == .status(.authenticationRequired), "\(run)")
    let weak = try await program.run(
      "fido", "passcode", "--passcode-file", new, "--new-passcode-file", wrong)
    #expect(weak.status == .status(.usage), "\(weak)")
  }

  @Test("needs a key with a passcode")
  func none() async throws {
    let (program, _) = try await FIDORegisterTests.program()
    let run = try await program.run("fido", "passcode")
    #expect(run.status == .status(.authenticationRequired), "\(run)")
    #expect(program.terminal.prompts.isEmpty)
  }
}
