import JOSE
import JSON
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token diff")
struct TokenDiffTests {
  @Test("lists the members that differ")
  func diff() async throws {
    let program = try TestProgram([:])
    let one = try program.folder.write(
      TestToken.text(#"{"exp":1800000300,"a":{"b":1,"c":2},"same":1}"#), to: "one")
    let other = try program.folder.write(
      TestToken.text(
        #"{"exp":1800000600,"a":{"b":1},"same":1,"new":[1]}"#,
        header: #"{"alg":"ES256","typ":"at+jwt"}"#), to: "other")
    expect(
      try await program.run("token", "diff", one, other), .success,
      output: """
        - header.typ: "JWT"
        + header.typ: "at+jwt"
        - payload.a.c: 2
        - payload.exp: 1800000300  (2027-01-15T08:05:00Z)
        + payload.exp: 1800000600  (2027-01-15T08:10:00Z)
        + payload.new: [1]

        """)
    #expect(
      try await program.run("token", "diff", one, other, "--exit-code").status == .status(.failure))
    expect(try await program.run("token", "diff", one, one, "--exit-code"), .success)
    try await program.store(TestToken.text(#"{"exp":1}"#))
    let json = try await program.run("token", "diff", "--json", one)
    #expect(json.json?["equal"] == false)
    #expect(json.json?["differences"]?.array?.count == 3)
  }

  @Test("does not read both tokens from standard input")
  func bothFromInput() async throws {
    let program = try TestProgram([:])
    let run = try await program.run(["token", "diff", "-", "-"], input: TestToken.text("{}"))
    #expect(run.status == .status(.usage) && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("standard input is named twice: for A and B"))
  }

  @Test("compares no token that is opaque")
  func opaque() async throws {
    let program = try await TestProgram.loggedIn()
    let one = try program.folder.write(TestToken.text("{}"), to: "one")
    for words in [[one, "-"], [one, "--user"]] {
      let run = try await program.run(["token", "diff"] + words, input: "opaque\n")
      #expect(run.errors.hasPrefix("sdkctl: error: could not compare the token: "), "\(run)")
      #expect(run.errors.contains("it is not a JWT"), "\(run)")
    }
  }
}
