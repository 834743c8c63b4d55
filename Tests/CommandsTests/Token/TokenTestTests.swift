import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("token test")
struct TokenTestTests {
  @Test("prints nothing for a token that meets the requirements")
  func check() async throws {
    let claims = #"{"exp":1800000300,"scope":"read write","aud":"api","acr":"2","iss":"i"}"#
    let program = try TestProgram([:])
    try await program.store(TestToken.text(claims))
    let rows: [([String], ExitCode)] = [
      ([], .success), (["--min-ttl", "299"], .success), (["--min-ttl", "300"], .notValidNow),
      (["--scope", "read write"], .success), (["--scope", "admin"], .verification),
      (["--aud", "api"], .success), (["--aud", "x"], .verification), (["--acr", "2"], .success),
      (["--acr", "3"], .verification), (["--iss", "j"], .verification),
      (["--min-ttl", "300", "--scope", "admin"], .verification),
    ]
    for (words, exit) in rows {
      let run = try await program.run(["token", "test"] + words)
      #expect(run.status == .status(exit), "\(words) \(run)")
      #expect(run.output == "")
      #expect(run.errors.isEmpty == (exit == .success))
    }
    let json = try await program.run("token", "test", "--json", "--scope", "admin")
    #expect(json.json?["failed"] == ["scope"])
    program.now = program.now + 300
    #expect(try await program.run("token", "test").status == .status(.notValidNow))
  }

  @Test("checks what the server returned about an opaque token")
  func opaque() async throws {
    let program = try TestProgram([:])
    #expect(try await program.run("token", "test").status == .status(.authenticationRequired))
    try await program.store(
      "opaque", lifetime: 100, scope: "a b", idToken: TestToken.text(#"{"acr":"2"}"#))
    let rows: [([String], ExitCode)] = [
      ([], .success), (["--min-ttl", "99"], .success), (["--min-ttl", "100"], .notValidNow),
      (["--scope", "b"], .success), (["--scope", "c"], .verification), (["--acr", "2"], .success),
      (["--aud", "api"], .verification),
    ]
    for (words, exit) in rows {
      let run = try await program.run(["token", "test"] + words)
      #expect(run.status == .status(exit), "\(words) \(run)")
    }
  }

  @Test("fails for a minimum lifetime if nobody knows when the token expires")
  func endless() async throws {
    let program = try TestProgram([:])
    for token in ["opaque", TestToken.text("{}")] {
      try await program.store(token, lifetime: nil)
      #expect(try await program.run("token", "test").status == .status(.success))
      expect(
        try await program.run("token", "test", "--min-ttl", "0"), .verification,
        errors:
          "sdkctl: error: could not accept the token: min-ttl: it is not known when the token "
          + "expires\n")
    }
    // The server said when it expires, the token does not.
    try await program.store(TestToken.text("{}"), lifetime: 100)
    for (seconds, exit) in [("99", ExitCode.success), ("100", .notValidNow)] {
      let run = try await program.run("token", "test", "--min-ttl", seconds)
      #expect(run.status == .status(exit), "\(run)")
    }
    let file = try await program.run(
      "token", "test", "--min-ttl", "0", "-", input: TestToken.text("{}"))
    #expect(file.status == .status(.verification))
  }

  @Test(
    "refuses a requirement that is empty, as a variable that is not set is",
    arguments: ["scope", "aud", "acr", "iss", "min-ttl"])
  func empty(option: String) async throws {
    let program = try TestProgram([:])
    try await program.store(TestToken.text("{}"))
    for value in ["", "  "] {
      let run = try await program.run("token", "test", "--\(option)", value)
      #expect(run.status == .status(.usage), "\(run)")
    }
  }
}
