import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile change-pin")
struct ProfileChangePINTests {
  @Test("changes the PIN, typed or from files")
  func changed() async throws {
    let (program, _) = try await RegisterFIDOTests.registered()
    for pin in ["271828", "314159", "314159"] { program.terminal.type(pin) }
    expect(
      try await program.run("profile", "change-pin"), .success,
      errors: "sdkctl: changed the PIN of the FIDO keys of 'work'\n")
    #expect(
      program.terminal.prompts == ["PIN of the FIDO keys: ", "New PIN: ", "The same again: "])
    let old = try program.folder.write("314159\n", to: "old", mode: 0o600)
    let new = try program.folder.write("161803\n", to: "new", mode: 0o600)
    let run = try await program.run(
      "profile", "change-pin", "--pin-file", old, "--new-pin-file", new)
    #expect(run.status == .status(.success), "\(run)")
    #expect(
      try await program.run("login", "fido", "--pin-file", new).status == .status(.success))
  }

  @Test("refuses a wrong PIN, and one that the policy does not allow")
  func refused() async throws {
    let (program, _) = try await RegisterFIDOTests.registered()
    let wrong = try program.folder.write("000001\n", to: "old", mode: 0o600)
    let new = try program.folder.write("161803\n", to: "new", mode: 0o600)
    let run = try await program.run(
      "profile", "change-pin", "--pin-file", wrong, "--new-pin-file", new)
    #expect(run.status == .status(.authenticationRequired), "\(run)")
    let weak = try await program.run(
      "profile", "change-pin", "--pin-file", new, "--new-pin-file", wrong)
    #expect(weak.status == .status(.usage), "\(weak)")
  }

  @Test("needs a key with a PIN")
  func none() async throws {
    let (program, _) = try await RegisterFIDOTests.program()
    let run = try await program.run("profile", "change-pin")
    #expect(run.status == .status(.authenticationRequired), "\(run)")
    #expect(program.terminal.prompts.isEmpty)
  }
}
