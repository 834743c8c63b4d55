import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("login token")
struct LoginTokenTests {
  @Test("takes a refresh token from standard input, or a token response from a file")
  func takenOver() async throws {
    let program = try await LoginTests.program()
    let file = try program.folder.write(
      #"{"access_token":"old","token_type":"bearer","refresh_token":"r0"}"#, to: "tokens")
    for (words, input, token) in [
      (["--token-file", "-"], "r9\n", "r9"), (["--token-file", file], "", "r0"),
    ] {
      expect(
        try await program.run(["login", "token"] + words, input: input), .success,
        errors: LoginPasswordTests.done)
      #expect(LoginPasswordTests.sent(program)?["grant_type"] == "refresh_token")
      #expect(LoginPasswordTests.sent(program)?["refresh_token"] == token)
    }
    #expect(try await program.stored()?.accessToken == "a1")
    let report = try await program.run(
      ["login", "token", "--token-file", "-", "--json"], input: "r9")
    #expect(report.json?["slot"] == "user")
  }

  @Test("needs tokens, of a file that nobody else can read")
  func usage() async throws {
    let program = try await LoginTests.program()
    expect(
      try await program.run("login", "token"), .usage,
      errors: "sdkctl: error: --token-file is missing\n")
    let open = try program.folder.write("r1", to: "open", mode: 0o644)
    let run = try await program.run("login", "token", "--token-file", open)
    #expect(run.status == .status(.configuration), "\(run)")
    #expect(run.errors.contains("--token-file -"))
    let bad = try await program.run(["login", "token", "--token-file", "-"], input: "no token")
    #expect(bad.status == .status(.usage), "\(bad)")
    #expect(!bad.errors.contains("no token "))
    #expect(program.transport.sent.isEmpty)
  }
}
