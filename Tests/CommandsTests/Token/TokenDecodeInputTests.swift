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

  @Test("finds each token of an HTTP archive once, with the path of its first place")
  func archive() async throws {
    let program = try TestProgram([:])
    let (one, two) = (TestToken.text(#"{"sub":"alice"}"#), TestToken.text(#"{"sub":"bob"}"#))
    let entry: JSON = [
      "request": ["headers": [["name": "Authorization", "value": .string("Bearer \(one)")]]],
      "response": ["content": ["text": .string(#"{"id_token":"\#(two)","refresh_token":"r"}"#)]],
    ]
    let archive: JSON = ["log": ["entries": [entry, entry], "version": "1.2"]]
    for text in [archive.serialized(.pretty), archive.serialized()] {
      let run = try await program.run("token", "decode", "-", input: text)
      #expect(run.status == .status(.success), "\(run)")
      let titles = run.output.split(separator: "\n").filter { $0.hasPrefix("token ") }
      #expect(
        titles == [
          "token 1: log.entries.0.request.headers.0.value, and 1 other place",
          "token 2: log.entries.0.response.content.text, and 1 other place",
        ])
      let json = try await program.run("token", "decode", "--json", "-", input: text)
      let lines = try json.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
      #expect(lines.map { $0["payload"]?["sub"] } == ["alice", "bob"])
      #expect(lines[1]["name"] == "log.entries.0.response.content.text")
    }
    let large: JSON = ["a": .string(String(repeating: "x", count: 2 << 20)), "t": .string(one)]
    let run = try await program.run(
      "token", "decode", "--field", "sub", "-", input: large.serialized())
    expect(run, .success, output: "alice\n")
  }

  @Test("finds the tokens of the lines of a log and of NDJSON, and skips the others")
  func log() async throws {
    let program = try TestProgram([:])
    let (one, two) = (TestToken.text(#"{"sub":"alice"}"#), TestToken.text(#"{"sub":"bob"}"#))
    let log = """
      [2027-01-15] started
      [2027-01-15] got \(one) and \(two)
      {"level":"info","message":"nothing"}
      {"level":"info","auth":{"header":"Bearer \(two)"}}

      """
    let run = try await program.run("token", "decode", "-", input: log)
    #expect(run.status == .status(.success), "\(run)")
    let titles = run.output.split(separator: "\n").filter { $0.hasPrefix("token ") }
    #expect(titles == ["token 1: line 2", "token 2: line 2", "token 3: line 4, auth.header"])
    let json = try await program.run("token", "decode", "--json", "-", input: log)
    let lines = try json.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(lines.map { $0["line"] } == [2, 2, 4])
    let assignments = try await program.run(
      "token", "decode", "--field", "sub", "-", input: "A=1\nexport B='\(one)'\nC='x'\n")
    expect(assignments, .success, output: "alice\n")
    let none = try await program.run("token", "decode", "-", input: "a b\nc d\n")
    #expect(none.status == .status(.failure))
    #expect(none.errors.contains("none of the lines has one"), "\(none)")
  }

  @Test(
    "says what a text is that is not a JWT",
    arguments: [
      ("v4.public.eyJ", "a PASETO"), ("v2.local.x", "a PASETO"),
      ("AGE-SECRET-KEY-1QQ", "a private key of age"),
      ("age1qq", "a public key of age"),
      ("<saml:Assertion>\n</saml:Assertion>\n", "XML, such as a SAML response"),
      ("PHNhbWxwOlJlc3BvbnNlLz4=", "XML, such as a SAML response"),
      ("a=b; c=d", "a cookie without a JWT"),
      ("Set-Cookie: a=b; Path=/", "a cookie without a JWT"),
      (
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        "a key or a certificate in PEM"
      ),
    ])
  func otherFormats(text: String, name: String) async throws {
    let run = try await TestProgram([:]).run("token", "decode", "-", input: text)
    #expect(run.status == .status(.failure))
    #expect(
      run.errors.contains("could not decode the token: it is not a JWT, but \(name)"), "\(run)")
  }

  @Test("shows the local time behind UTC on a terminal, and nowhere else")
  func localTime() async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write(TestToken.text(#"{"exp":1800000300}"#), to: "token")
    let piped = try await program.run("token", "decode", file)
    #expect(piped.output.contains("exp  2027-01-15T08:05:00Z  (in 5 minutes)"), "\(piped)")
    program.terminal.connect(.output)
    let shown = try await program.run("token", "decode", file)
    #expect(
      shown.output.contains("exp  2027-01-15T08:05:00Z  (2027-01-15 09:05:00 CET, in 5 minutes)"),
      "\(shown)")
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
