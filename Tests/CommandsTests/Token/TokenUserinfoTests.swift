import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token userinfo")
struct TokenUserinfoTests {
  private static func program(_ answer: FakeTransport.Response) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn()
    program.transport.respond("https://id.test/userinfo", answer)
    return program
  }

  @Test("prints the claims as JSON, and says that there is no subject to compare with")
  func claims() async throws {
    let program = try await Self.program(.json(#"{"sub":"alice","email":"a@x.test"}"#))
    for words in [[], ["--json"]] {
      expect(
        try await program.run(["token", "userinfo"] + words), .success,
        output: #"{"email":"a@x.test","sub":"alice"}"# + "\n",
        errors: "sdkctl: the subject was not compared: there is no ID token\n")
    }
    #expect(program.transport.sent.last?.fields["Authorization"] == "Bearer u1")
  }

  @Test("refuses claims about another user with 11")
  func other() async throws {
    let program = try await Self.program(.json(#"{"sub":"bob"}"#))
    // {"alg":"none"} . {"sub":"alice"}
    try await program.store("u1", idToken: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.AAAA")
    let run = try await program.run("token", "userinfo")
    #expect(run.status == .status(.verification))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not read the claims about the user: "))
  }

  @Test("has different exit statuses for a refusal and other errors")
  func trouble() async throws {
    for (answer, exit) in [
      (.status(503), .network), (.status(403), .refused), (.json("[]"), .failure),
    ] as [(FakeTransport.Response, ExitCode)] {
      let run = try await Self.program(answer).run("token", "userinfo")
      #expect(run.status == .status(exit))
      #expect(run.output == "")
    }
    let program = try TestProgram([:])
    #expect(
      try await program.run("token", "userinfo").status == .status(.authenticationRequired))
  }
}
