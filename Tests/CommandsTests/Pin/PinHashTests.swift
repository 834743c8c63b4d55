import CoreTestSupport

@testable import Commands

@Suite("pin hash")
struct PinHashTests {
  @Test("asks for the password of a PKCS #12 file")
  func password() async throws {
    let program = try TestProgram()
    let file = try program.folder.write(try IdentityFixture().pkcs12("secret"), to: "a.p12")
    let missing = try await program.run("pin", "hash", file)
    #expect(missing.status == .status(.usage))
    #expect(missing.errors.contains("--password-file"))
    program.terminal.connect(.input, .errors)
    program.terminal.type("secret")
    let run = try await program.run("pin", "hash", file)
    #expect(run.status == .status(.success))
    #expect(run.output.contains("\tcertificate\t-\tCN=alice\t\(file)\n"))
    #expect(program.terminal.prompts == ["Password of \(file): "])
    let count = program.terminal.prompts.count
    program.terminal.connect(.input, .errors)
    let wrong = try await program.run("pin", "hash", file, "--password-file", "-", input: "wrong\n")
    #expect(wrong.errors.contains("the password is wrong"), "\(wrong)")
    #expect(program.terminal.prompts.count == count)
    let given = try await program.run(
      "pin", "hash", file, "--password-file", "-", input: "secret\n")
    #expect(given.output == run.output)
  }
}
