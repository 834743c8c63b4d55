import HTTP
import JOSE
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("login assertion")
struct LoginAssertionTests {
  @Test("presents an assertion from standard input or a file, and stores the tokens")
  func presented() async throws {
    let program = try await LoginTests.program()
    let file = try program.folder.write("h.p.t\n", to: "assertion")
    for (words, input, assertion) in [
      (["--assertion-file", "-"], "h.p.s\n", "h.p.s"), (["--assertion-file", file], "", "h.p.t"),
    ] {
      expect(
        try await program.run(["login", "assertion"] + words, input: input), .success,
        errors: LoginPasswordTests.done)
      let form = LoginPasswordTests.sent(program)
      #expect(form?["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
      #expect(form?["assertion"] == assertion)
    }
    #expect(try await program.stored()?.accessToken == "a1")
  }

  @Test("requests the scope and the resources that are named")
  func choices() async throws {
    let program = try await LoginTests.program()
    let words = [
      "login", "assertion", "--assertion-file", "-", "--scope", "a b", "--resource",
      "https://r.test",
    ]
    expect(try await program.run(words, input: "h.p.s"), .success, errors: LoginPasswordTests.done)
    #expect(LoginPasswordTests.sent(program)?["scope"] == "a b")
    #expect(LoginPasswordTests.sent(program)?["resource"] == "https://r.test")
  }

  @Test("needs an assertion, or a subject to sign one about")
  func missing() async throws {
    expect(
      try await TestProgram([:]).run("login", "assertion"), .usage,
      errors: """
        sdkctl: error: one of --assertion-file, --assertion-command, \
        --assertion-from and --sub is missing

        """)
  }

  @Test("takes an assertion that a command prints, which must be one")
  func command() async throws {
    let program = try await LoginTests.program()
    let token = try SigningKey.generate(.es256).sign(
      header: [:], payload: Array(#"{"sub":"alice"}"#.utf8))
    let file = try program.folder.write(token, to: "token")
    let run = try await program.run("login", "assertion", "--assertion-command", "cat '\(file)'")
    expect(run, .success, errors: LoginPasswordTests.done)
    #expect(LoginPasswordTests.sent(program)?["assertion"] == token)
    let refused = try await program.run("login", "assertion", "--assertion-command", "echo x")
    #expect(refused.status == .status(.failure))
    #expect(refused.errors.contains("it is not a JWT"))
  }

  @Test("signs no assertion without a key")
  func noKey() async throws {
    let program = try await LoginTests.program()
    let run = try await program.run("login", "assertion", "--sub", "alice", "-q")
    #expect(run.status == .status(.configuration))
    #expect(program.transport.sent.isEmpty)
  }
}
