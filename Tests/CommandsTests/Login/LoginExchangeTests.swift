import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("login exchange")
struct LoginExchangeTests {
  @Test("presents a token from standard input or a file, with its type and the audiences")
  func presented() async throws {
    let program = try await LoginTests.program()
    let file = try program.folder.write("tok2\n", to: "token")
    let type = "urn:ietf:params:oauth:token-type:"
    for (words, input, sent) in [
      (
        ["--token-file", "-", "--token-type", "id_token", "--audience", "api"], "tok\n",
        ["subject_token": "tok", "subject_token_type": type + "id_token", "audience": "api"]
      ),
      (
        ["--token-file", file], "",
        ["subject_token": "tok2", "subject_token_type": type + "access_token"]
      ),
    ] {
      expect(
        try await program.run(["login", "exchange"] + words, input: input), .success,
        errors: LoginPasswordTests.done)
      let form = LoginPasswordTests.sent(program)
      #expect(form?["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange")
      for name in ["subject_token", "subject_token_type", "audience"] {
        #expect(form?[name] == sent[name], "\(name)")
      }
    }
    #expect(try await program.stored()?.accessToken == "a1")
  }

  @Test("needs a token")
  func missing() async throws {
    expect(
      try await TestProgram([:]).run("login", "exchange"), .usage,
      errors:
        "sdkctl: error: one of --token-file, --assertion-command and --assertion-from is "
        + "missing\n")
  }

  @Test("warns if the server returns an unbound token although dpop is on")
  func unbound() async throws {
    let program = try await LoginTests.program(["dpop": "on"])
    let run = try await program.run(
      ["login", "exchange", "--token-file", "-", "-q"], input: "tok")
    expect(
      run, .success,
      errors: "sdkctl: warning: the server binds no tokens: this is a bearer token\n")
  }
}
