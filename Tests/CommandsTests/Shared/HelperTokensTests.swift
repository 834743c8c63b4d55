import CoreTestSupport

@testable import Commands

@Suite("Programs that help get no token of the environment", .timeLimit(.minutes(5)))
struct HelperTokensTests {
  /// Sets the variables; returns a shell command that notes what it sees, and reads what was noted.
  private static func noting(
    _ program: TestProgram
  ) throws -> (command: String, seen: () throws -> String) {
    for name in Environment.tokenVariables where name != "BEARER_TOKEN_FILE" {
      program.setVariable(name, "given")
    }
    let file = program.folder.file("seen")
    return ("export >'\(file)'", { try program.folder.text(of: "seen") })
  }

  @Test("the command of --assertion-command")
  func assertion() async throws {
    let program = try await LoginTests.program()
    let (command, seen) = try Self.noting(program)
    let script = try program.folder.write("#!/bin/sh\n\(command)\n", to: "bin/issue", mode: 0o755)
    _ = try await program.run("login", "assertion", "--assertion-command", script)
    #expect(try seen().contains("PATH"))
    #expect(try !seen().contains("given"))
  }

  @Test("the program of SDKCTL_ASKPASS, for which no prompt is an option")
  func askpass() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      "#!/bin/sh\nexport >'\(folder.file("seen"))'\necho \"<$1>\"\n", to: "ask", mode: 0o755)
    var variables = ["SDKCTL_ASKPASS": script, "HOME": folder.path]
    for name in Environment.tokenVariables { variables[name] = "given" }
    let context = Context(
      globals: Globals(), ports: Ports(environment: Environment(variables)))
    let answer = try await context.terminal.readSecret("--version: ")
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix("< --version: >"))
    #expect(try folder.text(of: "seen").contains("HOME"))
    #expect(try !folder.text(of: "seen").contains("given"))
  }

  @Test("a program that asks for a secret and fails has cancelled the question")
  func failingAskpass() async throws {
    let terminal = TerminalPort().asking(by: "/bin/false", Environment([:]))
    await #expect(throws: TerminalError.cancelled) { try await terminal.readSecret("passcode") }
  }
}
