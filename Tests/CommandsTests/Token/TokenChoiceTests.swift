import CoreTestSupport

@testable import Commands

@Suite("Which token a command is about")
struct TokenChoiceTests {
  private static let verbs = [
    "decode", "verify", "test", "lint", "diff", "introspect", "revoke",
  ]

  /// A logged-in program whose server answers everything that these commands ask.
  private static func program() async throws -> TestProgram {
    let key = try SigningKey.generate(.es256)
    let program = try await TestProgram.loggedIn()
    program.transport.respond(
      FakeServer.metadataURL,
      .json(FakeServer.metadata(with: #""introspection_endpoint":"https://id.test/introspect""#)))
    program.transport.respond("https://id.test/introspect", .json(#"{"active":true}"#))
    program.transport.respond(
      "https://id.test/jwks", .json(JSON.object(["keys": [key.publicKey.json]]).serialized()))
    let claims: JSON = [
      "iss": "https://id.test", "exp": 1_800_000_300, "iat": 1_800_000_000, "aud": "app",
      "sub": "s",
    ]
    let token = try key.sign(
      header: ["typ": "JWT"], payload: Array(claims.serialized().utf8))
    try await program.store(token, idToken: token)
    try await program.store(token, in: .implicit)
    return program
  }

  @Test("is not guessed if standard input is redirected: both lines are the hint", arguments: verbs)
  func redirected(verb: String) async throws {
    let program = try await Self.program()
    let file = try program.folder.write(TestToken.text("{}"), to: "file")
    let words = ["token", verb] + (verb == "diff" ? [file] : [])
    let line = "sdkctl token \(verb)\(verb == "diff" ? " \(file)" : "")"
    for input in [TestToken.text("{}"), "\n", ""] {
      let run = try await program.run(words, input: input)
      expect(
        run, .usage,
        errors: """
          sdkctl: error: could not choose the input: standard input is a pipe or a file, but '-' is \
          missing
          sdkctl: hint: \(line) -
          sdkctl: hint: \(line) --user

          """)
    }
    let named = try await program.run(words + ["-p", "work"], input: "x")
    #expect(named.errors.contains("-p work -\n"), "\(named)")
    #expect(program.transport.sent.isEmpty)
  }

  @Test("is the stored one if an option names it, or if nothing is redirected", arguments: verbs)
  func stored(verb: String) async throws {
    let program = try await Self.program()
    let file = try program.folder.write(TestToken.text("{}"), to: "file")
    let words = ["token", verb] + (verb == "diff" ? [file] : [])
    let slots =
      ["--user", "--implicit"] + (["introspect", "revoke"].contains(verb) ? [] : ["--id-token"])
    for slot in slots {
      let run = try await program.run(words + [slot], input: "other")
      #expect(run.status == .status(.success), "\(slot) \(run)")
    }
    #expect(try await program.run(words).status == .status(.success))
    if verb == "diff" {
      let first = try await program.run("token", "diff", "-", input: TestToken.text("{}"))
      #expect(first.status == .status(.success), "\(first)")
    }
  }

  @Test("is never both a file and a stored one", arguments: verbs)
  func both(verb: String) async throws {
    let program = try await Self.program()
    let words = ["token", verb, "-"] + (verb == "diff" ? ["x"] : [])
    let slots =
      ["--user", "--anonymous"] + (["introspect", "revoke"].contains(verb) ? [] : ["--id-token"])
    for slot in slots {
      let run = try await program.run(words + [slot], input: "a.b.c")
      #expect(run.status == .status(.usage), "\(run)")
      #expect(run.errors.contains("with '\(slot)'"))
    }
  }

  @Test("is the stored one if another argument reads standard input")
  func otherReader() async throws {
    let program = try await Self.program()
    let key = try SigningKey.generate(.es256)
    try await program.store(key.sign(header: [:], payload: Array(#"{"exp":1800000300}"#.utf8)))
    for words in [["verify", "--key", "-"], ["decode", "--key", "-"], ["verify", "--jwks", "-"]] {
      let run = try await program.run(
        ["token"] + words, input: key.publicKey.json.serialized())
      #expect(run.status == .status(.success), "\(words) \(run)")
    }
  }
}
