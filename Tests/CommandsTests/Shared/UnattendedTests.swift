import POSIX
import TestSupport
import Testing

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
    "SDKCTL_PROMPT=never makes each login of a user fail at once",
    arguments: [
      ["login"], ["login", "--no-browser"], ["login", "--device"], ["login", "--manual"],
    ])
  func forbidden(words: [String]) async throws {
    let program = try await Self.program()
    program.terminal.connect(.input, .errors)
    program.setVariable("SDKCTL_PROMPT", "never")
    expect(
      try await program.run(words), .failure,
      errors: """
        sdkctl: error: could not log in: SDKCTL_PROMPT=never forbids questions to a person

        """)
    #expect(program.browser.opened.isEmpty)
    #expect(program.transport.sent.isEmpty)
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

  @Test("SDKCTL_PROMPT=never opens no browser for --interactive, and asks nothing on a terminal")
  func unasked() async throws {
    let program = try await Self.program()
    program.terminal.connect(.input, .output, .errors)
    program.setVariable("SDKCTL_PROMPT", "never")
    for words in [["token", "--interactive"], ["fetch", "--interactive", "/me"]] {
      let run = try await program.run(words)
      #expect(run.status == .status(.authenticationRequired), "\(words)")
      #expect(program.transport.sent.isEmpty)
      #expect(run.errors.contains("SDKCTL_PROMPT=never forbids questions"), "\(run.errors)")
    }
    let removed = try await program.run("profile", "remove", "work")
    #expect(removed.status == .status(.usage))
    #expect(program.browser.opened.isEmpty)
    #expect(program.terminal.prompts.isEmpty)
  }
}
