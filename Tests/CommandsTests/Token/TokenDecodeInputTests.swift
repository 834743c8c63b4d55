import JOSE
import JSON
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token decode, from other forms")
struct TokenDecodeInputTests {
  @Test("finds the tokens of a token response, and of a quoted header line")
  func responses() async throws {
    let program = try TestProgram([:])
    let token = TestToken.text(#"{"sub":"alice"}"#)
    let response: JSON = [
      "access_token": "opaque", "id_token": .string(token), "token_type": "Bearer",
    ]
    let run = try await program.run(
      "token", "decode", "--json", "-", input: response.serialized(.pretty))
    #expect(run.status == .status(.success), "\(run)")
    let lines = try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(lines.count == 2)
    #expect(lines[0] == ["name": "access_token", "opaque": true])
    #expect(lines[1]["name"] == "id_token")
    #expect(lines[1]["payload"]?["sub"] == "alice")
    for text in ["Authorization: Bearer \(token)", "'\(token)'", " \"bearer  \(token)\"\n"] {
      let run = try await program.run("token", "decode", "--json", "-", input: text)
      #expect(run.json?["payload"]?["sub"] == "alice", "\(text)")
    }
  }

  @Test("prints a claim of the JWTs of a response, and an empty line for its opaque tokens")
  func claimOfResponse() async throws {
    let program = try TestProgram([:])
    let response: JSON = [
      "access_token": .string(TestToken.text(#"{"sub":"alice"}"#)), "refresh_token": "opaque",
    ]
    for text in [
      response.serialized(.pretty), response.serialized() + "\n" + response.serialized(),
    ] {
      let run = try await program.run("token", "decode", "--field", "sub", "-", input: text)
      #expect(run.status == .status(.success), "\(run)")
      #expect(Set(run.output.split(separator: "\n")) == ["alice"])
      #expect(run.output.contains("\n\n"), "\(run)")
    }
    let opaque = try await program.run(
      "token", "decode", "--field", "sub", "-", input: #"{"access_token":"opaque"}"#)
    #expect(opaque.status == .status(.failure))
    let marks = try await program.run(
      "token", "decode", "--field", "opaque", "-", input: #"{"access_token":"opaque"}"#)
    #expect(marks.output == "true\n")
  }

  @Test(
    "says what a JSON text without a token is",
    arguments: [
      (
        #"{"error":"invalid_grant","error_description":"gone\u001b[31m"}"#,
        #"the input is an error response, 'invalid_grant': 'gone"#
      ),
      (#"{"error":"invalid_client"}"#, "the input is an error response, 'invalid_client'\n"),
      (#"{"a":1}"#, "the input is a JSON object without a token\n"),
    ])
  func otherJSON(text: String, cause: String) async throws {
    for command in ["decode", "lint", "verify"] {
      let options = command == "verify" ? ["--issuer", "https://x.y"] : []
      let words = ["token", command, "-"] + options
      let run = try await TestProgram([:]).run(words, input: text)
      #expect(run.status == .status(.failure))
      #expect(run.errors.contains(cause), "\(run)")
      #expect(!run.errors.contains("introspect") && !run.errors.utf8.contains(0x1B), "\(run)")
    }
  }

  @Test("of an opaque token it says which command asks the server")
  func opaque() async throws {
    let run = try await TestProgram([:]).run(
      "token", "decode", "-", input: "2YotnFZFEjr1zCsicMWpAA")
    #expect(run.status == .status(.failure))
    #expect(run.errors.contains("hint: sdkctl token introspect FILE"), "\(run)")
  }

  @Test("ignores a byte order mark, and the quotes and spaces of web pages and word processors")
  func punctuation() async throws {
    let program = try TestProgram([:])
    let token = TestToken.text(#"{"sub":"alice"}"#)
    for text in [
      "\u{FEFF}\(token)\r\n", "\u{201C}\(token)\u{201D}", "\u{2018}Bearer \(token)\u{2019}\n",
      "\u{A0} \(token)\u{200B}\u{A0}", "\u{FEFF}\"\(token)\"",
    ] {
      let run = try await program.run("token", "decode", "--field", "sub", "-", input: text)
      #expect(run.output == "alice\n", "\(run)")
    }
    let run = try await program.run("token", "decode", "-", input: "\u{FEFF}\u{201D}")
    #expect(run.errors.contains("the input is empty"), "\(run)")
  }

  @Test(
    "a command that takes one token says that it is too long, or that there is none",
    arguments: ["lint", "check", "diff"])
  func oneToken(verb: String) async throws {
    let program = try TestProgram([:])
    let other = try program.folder.write(TestToken.text("{}"), to: "other")
    let words = ["token", verb, "-"] + (verb == "diff" ? [other] : [])
    let long = try await program.run(words, input: String(repeating: "a", count: 3 << 20))
    #expect(long.status == .status(.failure))
    #expect(long.errors.contains("the token has more than 1048576 bytes"), "\(long)")
    let empty = try await program.run(words, input: " \n")
    #expect(empty.status == .status(.failure))
    #expect(empty.errors.contains("the input is empty"), "\(empty)")
    let two = try await program.run(words, input: "a.b.c\na.b.c\n")
    #expect(two.status == .status(.usage))
    #expect(two.errors.contains("'token \(verb)' takes one token"), "\(two)")
  }
}
