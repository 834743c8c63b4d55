import HTTP
import JSON
import POSIX
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("login password")
struct LoginPasswordTests {
  /// The command lines, in one place.
  private enum Line {
    static let typed = ["login", "password", "alice"]
    static let piped = typed + ["--password-file", "-"]
    static func file(_ file: String) -> [String] { typed + ["--password-file", file] }
  }

  static func sent(_ program: TestProgram) -> FormParameters? {
    program.transport.sent.last.flatMap { FormParameters(encoded: $0.body) }
  }

  static let done =
    "sdkctl: logged the user in to 'work'; the token expires 2027-01-15T08:10:00Z, in 10 minutes\n"

  @Test("takes the password from standard input, a file or the terminal, without its line break")
  func password() async throws {
    let program = try await LoginTests.program(["passwordGrant": true])
    let file = try program.folder.write("wonder land\r\n", to: "password")
    program.terminal.type("wonder land")
    for (words, input) in [
      (Line.piped, "wonder land\n"), (Line.file(file), ""), (Line.typed, ""),
    ] {
      expect(try await program.run(words, input: input), .success, errors: Self.done)
      #expect(Self.sent(program)?["grant_type"] == "password")
      #expect(Self.sent(program)?["username"] == "alice")
      #expect(Self.sent(program)?["password"] == "wonder land")
    }
    #expect(program.terminal.prompts == ["Password of alice: "])
    #expect(try await program.stored()?.accessToken == "a1")
  }

  @Test(
    "refuses a secret that is not one line of text",
    arguments: ["", "\n", "  \n", "a\nb\n", "a\u{7}"])
  func badSecret(input: String) async throws {
    let program = try await LoginTests.program(["passwordGrant": true])
    expect(
      try await program.run(Line.piped, input: input), .usage,
      errors: """
        sdkctl: error: could not use the password: it is empty or not one line of text

        """)
    #expect(program.transport.sent.isEmpty)
  }

  @Test("refuses a secret file that others may read, with the command that mends it")
  func openFile() async throws {
    let program = try await LoginTests.program(["passwordGrant": true])
    let file = try program.folder.write("pw", to: "password", mode: 0o644)
    let run = try await program.run(Line.file(file))
    #expect(run.status == .status(.configuration))
    expect(
      run, .configuration,
      errors: """
        sdkctl: error: could not read the password: \(file): others may read it (mode 0644)
        sdkctl: hint: chmod 600 \(file)
        sdkctl: hint: or give it on standard input: --password-file -

        """)
  }

  @Test("asks for no password if the profile does not allow the password grant")
  func policy() async throws {
    let program = try await LoginTests.program()
    expect(
      try await program.run(Line.typed), .policy,
      errors: """
        sdkctl: error: could not log in: the profile 'work' does not allow passwords
        sdkctl: hint: sdkctl -p work profile set passwordGrant=true

        """)
    #expect(program.terminal.prompts.isEmpty)
  }

  @Test("fails if no password is typed")
  func notTyped() async throws {
    let program = try await LoginTests.program(["passwordGrant": true])
    expect(
      try await program.run(Line.typed), .usage,
      errors: "sdkctl: error: could not ask for the password: there is no terminal, and "
        + "--password-file is missing\n")
    program.terminal.type("")
    expect(
      try await program.run(Line.typed), .declined,
      errors: "sdkctl: error: could not use the password: it is empty\n")
    program.terminal.fail(.endOfInput)
    expect(
      try await program.run(Line.typed), .declined,
      errors: "sdkctl: error: could not ask for the password: nothing was typed\n")
    program.terminal.fail(.cancelled)
    expect(
      try await program.run(Line.typed), .declined,
      errors: "sdkctl: error: could not ask for the password: cancelled\n")
  }

  @Test("exits with 5 if the server refuses, and keeps nothing")
  func refused() async throws {
    let program = try await LoginTests.program(["passwordGrant": true])
    program.transport.respond(
      FakeServer.tokenURL,
      .json(#"{"error":"invalid_grant","error_description":"wrong"}"#, status: 400))
    let run = try await program.run(Line.piped, input: "secret-pw\n")
    expect(run, .refused, errors: "sdkctl: error: could not log in: invalid_grant (wrong)\n")
    #expect(try await program.stored() == nil)
  }
}
