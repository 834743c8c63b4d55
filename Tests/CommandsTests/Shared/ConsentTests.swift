import CoreTestSupport

@testable import Commands

@Suite("Consent")
struct ConsentTests {
  private static let line = ["deregister", "--local"]

  private static func program() async throws -> TestProgram {
    let program = try TestProgram([:])
    try await program.register()
    program.terminal.connect(.input, .errors)
    return program
  }

  private static func isRegistered(_ program: TestProgram) -> Bool {
    program.folder.exists("store/state/profiles/work/registration.json")
  }

  @Test(
    "that cannot be asked for is a failure, and not declined",
    arguments: [
      (.endOfInput, .declined, "could not go on: you declined"),
      (.cancelled, .declined, "could not go on: you declined"),
      (
        .noTerminal, .usage,
        "could not ask for consent: there is no terminal; --yes agrees"
      ),
      (.tooLong, .failure, "could not ask for consent: the answer is too long"),
      (
        .system(SystemError("read", code: 5)), .failure,
        "could not ask for consent: input/output error"
      ),
    ] as [(TerminalError, ExitCode, String)])
  func failures(error: TerminalError, exit: ExitCode, message: String) async throws {
    let program = try await Self.program()
    program.terminal.fail(error)
    expect(try await program.run(Self.line), exit, errors: "sdkctl: error: \(message)\n")
    #expect(Self.isRegistered(program))
  }
}
