import CoreTestSupport

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
}
