import TestSupport
import Testing

@testable import Commands

@Suite("Tokens of the environment")
struct EnvironmentTokenTests {
  @Test("are used in this order: SDKCTL_TOKEN, BEARER_TOKEN, BEARER_TOKEN_FILE, the stored one")
  func order() async throws {
    let program = try await TestProgram.loggedIn()
    let file = try program.folder.write(" file-token\r\n", to: "bearer")
    expect(try await program.run("token"), .success, output: "u1\n")
    program.setVariable("BEARER_TOKEN_FILE", file)
    expect(try await program.run("token"), .success, output: "file-token\n")
    program.setVariable("BEARER_TOKEN", "\tbearer-token \n")
    expect(try await program.run("token"), .success, output: "bearer-token\n")
    program.setVariable("SDKCTL_TOKEN", "own-token")
    expect(try await program.run("token"), .success, output: "own-token\n")
    #expect(program.transport.sent.isEmpty)
  }

  @Test("are not used in place of the token of this installation")
  func anonymous() async throws {
    let program = try await TestProgram.loggedIn()
    program.setVariable("BEARER_TOKEN", "bearer-token")
    expect(try await program.run("token", "--anonymous"), .success, output: "u2\n")
  }

  @Test(
    "are refused if they cannot be a header value, with the name of the variable",
    arguments: [
      ("BEARER_TOKEN", "a b", "it has spaces, line breaks or characters that are not ASCII"),
      ("SDKCTL_TOKEN", "a\n", "it has spaces, line breaks or characters that are not ASCII"),
      ("BEARER_TOKEN", "\u{e9}", "it has spaces, line breaks or characters that are not ASCII"),
    ])
  func refused(variable: String, value: String, reason: String) async throws {
    let program = try await TestProgram.loggedIn()
    program.setVariable(variable, value)
    expect(
      try await program.run("token"), .configuration,
      errors: "sdkctl: error: could not use \(variable): \(reason)\n")
  }

  @Test("are refused if the file is missing or empty")
  func files() async throws {
    let program = try await TestProgram.loggedIn()
    program.setVariable("BEARER_TOKEN_FILE", program.folder.file("missing"))
    let missing = try await program.run("token")
    #expect(missing.status == .status(.configuration))
    #expect(
      missing.errors.hasPrefix("sdkctl: error: could not read the token of BEARER_TOKEN_FILE: "))
    program.setVariable("BEARER_TOKEN_FILE", try program.folder.write("\n", to: "empty"))
    expect(
      try await program.run("token"), .configuration,
      errors: "sdkctl: error: could not use BEARER_TOKEN_FILE: the file is empty\n")
  }

  @Test("are refused if others can change the file, or read it; a link of the user is followed")
  func exposedFile() async throws {
    let program = try await TestProgram.loggedIn()
    let file = try program.folder.write("file-token", to: "bearer", mode: 0o666)
    program.setVariable("BEARER_TOKEN_FILE", file)
    expect(
      try await program.run("token"), .configuration,
      errors: """
        sdkctl: error: could not read the token of BEARER_TOKEN_FILE: \(file): others may change it \
        (mode 0666)
        sdkctl: hint: chmod 600 \(file)

        """)
    try program.folder.setMode(0o600, of: "bearer")
    try program.folder.link("link", to: "bearer")
    program.setVariable("BEARER_TOKEN_FILE", program.folder.file("link"))
    expect(try await program.run("token"), .success, output: "file-token\n")
  }

  @Test("cannot be refreshed, and the error names the variable")
  func fixed() async throws {
    let program = try await TestProgram.loggedIn()
    program.setVariable("BEARER_TOKEN", "bearer-token")
    expect(
      try await program.run("token", "--fresh"), .authenticationRequired,
      errors: """
        sdkctl: error: could not use the token of BEARER_TOKEN: it cannot be renewed
        sdkctl: hint: sdkctl -p work login

        """)
  }

  @Test("are not looked for in a file without a name")
  func emptyName() async throws {
    let program = try await TestProgram.loggedIn()
    program.setVariable("BEARER_TOKEN_FILE", "")
    expect(try await program.run("token"), .success, output: "u1\n")
  }

  @Test("are not replaced by a login, even if one is allowed")
  func interactive() async throws {
    let program = try await TestProgram.loggedIn()
    program.setVariable("BEARER_TOKEN", "bearer-token")
    program.browser.remove()
    let run = try await program.run("token", "--fresh", "--interactive")
    #expect(run.errors.contains("could not use the token of BEARER_TOKEN"), "\(run)")
    #expect(program.browser.opened.isEmpty)
  }

  @Test("says that a refused token is that of a variable, and since when it has expired")
  func origin() async throws {
    for (exp, rest) in [(1_800_000_060, ""), (1_799_999_940, ", and expired 2027-01-15T07:59:00Z")]
    {
      let program = try await TestProgram.loggedIn()
      program.transport.respond("https://api.test/v1/me", .status(401, "no"))
      program.setVariable("BEARER_TOKEN", TestToken.text(#"{"exp":\#(exp)}"#))
      let run = try await program.run("fetch", "/me")
      let line = run.errors.split(separator: "\n").first { $0.contains("the token is that of") }
      let start = "  the token is that of the variable BEARER_TOKEN\(rest)"
      #expect(rest.isEmpty ? line ?? "" == start : line?.hasPrefix(start) == true, "\(run)")
    }
  }
}
