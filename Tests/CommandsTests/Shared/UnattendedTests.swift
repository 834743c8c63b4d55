import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("Without a person")
struct UnattendedTests {
  private static func program() async throws -> TestProgram {
    let program = try TestProgram([:])
    try await program.register()
    return program
  }

  @Test("login fails at once without a browser and a terminal, with the three ways that work")
  func noBrowser() async throws {
    let program = try await Self.program()
    program.browser.remove()
    expect(
      try await program.run("login"), .failure,
      errors: """
        sdkctl: error: could not log in: no browser could be started, and there is no terminal
        sdkctl: hint: sdkctl -p work login --device
        sdkctl: hint: sdkctl -p work login --no-browser
        sdkctl: hint: sdkctl -p work login --manual

        """)
  }

  @Test(
    "SDKCTL_PROMPT=never opens no browser for any credential helper",
    arguments: [
      ["git", "get"], ["docker", "get"], ["kubectl"],
      ["aws", "--role-arn", "arn:r", "--sts-url", "https://api.test"],
    ])
  func helpers(words: [String]) async throws {
    for value in ["never", nil] {
      let program = try await Self.program()
      program.browser.remove()
      program.setVariable("SDKCTL_PROMPT", value)
      let run = try await program.run(
        ["credential", words[0], "--interactive"] + words.dropFirst(),
        input: words[0] == "git" ? "protocol=https\nhost=api.test\n\n" : "api.test")
      #expect(program.browser.opened.isEmpty == (value == "never"), "\(run)")
    }
  }

  @Test("a program that asks for a secret and fails has cancelled the question")
  func askpass() async throws {
    let terminal = TerminalPort().asking(by: "/bin/false", Environment([:]))
    await #expect(throws: TerminalError.cancelled) { try await terminal.readSecret("passcode") }
  }
}
