import HTTP
import JOSE
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token")
struct TokenTests {
  /// A profile with a registered client, and a user whose token lives that long.
  private static func program(
    lifetime: Int64? = 3600, _ settings: [String: JSON] = [:], refreshToken: String? = "refresh-1"
  ) async throws -> TestProgram {
    try await .loggedIn(settings, lifetime: lifetime, refreshToken: refreshToken)
  }

  @Test("prints the stored token without network if it lives long enough")
  func stored() async throws {
    let program = try await Self.program()
    expect(try await program.run("token"), .success, output: "u1\n")
    #expect(program.transport.sent.isEmpty)
  }

  @Test(
    "refreshes one that does not, or in any case with --fresh",
    arguments: [(3600, ["--fresh"]), (29, []), (3600, ["--min-ttl", "3601"])]
      as [(Int64, [String])])
  func refreshes(lifetime: Int64, words: [String]) async throws {
    let program = try await Self.program(lifetime: lifetime)
    let run = try await program.run(["token"] + words)
    #expect(run.status == .status(.success))
    #expect(run.output == "u2\n")
    #expect(program.transport.lines.last == "POST \(FakeServer.tokenURL)")
    #expect(program.transport.sent.last?.body.contains("refresh_token=refresh-1") == true)
    #expect(try await program.stored()?.accessToken == "u2")
  }

  @Test("says that the server issues tokens that are valid for less than --min-ttl")
  func shortLived() async throws {
    let run = try await Self.program().run("token", "--min-ttl", "7200")
    expect(
      run, .success, output: "u2\n",
      errors: "sdkctl: the server issues tokens that are valid for less than --min-ttl\n")
  }

  @Test("prints what another program reads")
  func forms() async throws {
    let program = try await Self.program()
    for (words, output) in [
      (["--header"], "Authorization: Bearer u1\n"),
      (["--curl"], "header = \"Authorization: Bearer u1\"\n"),
      (
        ["--env", "sh"],
        """
        export SDKCTL_ACCESS_TOKEN=u1
        export SDKCTL_TOKEN_TYPE=Bearer
        export SDKCTL_TOKEN_EXPIRES=2027-01-15T09:00:00Z
        export SDKCTL_ISSUER=https://id.test
        export SDKCTL_RESOURCE_URL=https://api.test/v1

        """
      ),
    ] {
      expect(try await program.run(["token"] + words), .success, output: output)
    }
  }

  @Test("with --json prints an object; what is not known is null")
  func json() async throws {
    let program = try await Self.program()
    let run = try await program.run("token", "--json")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    #expect(
      run.json == [
        "accessToken": "u1", "tokenType": "Bearer", "expires": "2027-01-15T09:00:00Z",
        "scope": "a b", "slot": "user", "profile": "work", "jkt": .null,
      ])
    try await program.store("u1", lifetime: nil, scope: nil)
    let bare = try await program.run("token", "--json")
    #expect(bare.json?["expires"] == .null)
    #expect(bare.json?["scope"] == .null)
  }

  @Test("obtains the token of this installation, and stores it")
  func anonymous() async throws {
    let program = try await Self.program()
    expect(try await program.run(["token"] + Words.slot(.anonymous)), .success, output: "u2\n")
    #expect(program.transport.sent.last?.body.contains("grant_type=client_credentials") == true)
    #expect(try await program.stored(.anonymous)?.accessToken == "u2")
    #expect(try await program.stored()?.accessToken == "u1")
  }

  @Test("with --scope prints a token that can do less, and does not keep it")
  func narrowed() async throws {
    let program = try await Self.program()
    program.transport.respond(
      FakeServer.metadataURL,
      .json(
        FakeServer.metadata(
          with: #""grant_types_supported":["urn:ietf:params:oauth:grant-type:token-exchange"]"#)))
    let run = try await program.run("token", "--scope", "a", "--audience", "svc")
    expect(run, .success, output: "u2\n")
    let body = try #require(program.transport.sent.last?.body)
    #expect(body.contains("token-exchange") && body.contains("scope=a"))
    #expect(body.contains("audience=svc"))
    #expect(try await program.stored()?.accessToken == "u1")
  }

  @Test("says of a JWT of the environment what its claims say, and warns if it expires soon")
  func environmentClaims() async throws {
    let program = try await Self.program()
    func jwt(_ claims: String) -> String {
      "eyJhbGciOiJIUzI1NiJ9.\(Base64URL.encode(Array(claims.utf8))).AA"
    }
    let token = jwt(#"{"exp":1800003600,"scope":"read write"}"#)
    program.setVariable("BEARER_TOKEN", token)
    expect(try await program.run("token"), .success, output: "\(token)\n")
    let run = try await program.run("token", "--json")
    #expect(run.json?["expires"] == "2027-01-15T09:00:00Z")
    #expect(run.json?["scope"] == "read write")
    let expires = "SDKCTL_TOKEN_EXPIRES=2027-01-15T09:00:00Z\n"
    #expect(try await program.run("token", "--env", "sh").output.contains(expires))
    expect(
      try await program.run("token", "--min-ttl", "2h"), .success, output: "\(token)\n",
      errors: "sdkctl: the token of the environment expires 2027-01-15T09:00:00Z, in 60 minutes\n")
    let old = jwt(#"{"exp":1000000000}"#)
    program.setVariable("BEARER_TOKEN", old)
    for words in [["token"], ["token", "--header"], ["token", "--min-ttl", "0s"]] {
      expect(
        try await program.run(words), .notValidNow,
        errors: "sdkctl: error: could not print the token: that of BEARER_TOKEN expired "
          + "2001-09-09T01:46:40Z, 9259 days ago\n")
    }
    #expect(program.transport.sent.isEmpty)
    program.transport.respond("https://api.test/v1/me", .status(401))
    let refused = try await program.run("fetch", "/me")
    #expect(refused.status == .status(.clientError))
    #expect(
      refused.errors.contains(
        "the token is that of the variable BEARER_TOKEN, and expired 2001-09-09T01:46:40Z"))
    #expect(program.transport.sent.count == 1)
    let renewed = try await program.run("token", "--fresh")
    #expect(
      renewed.errors.contains("BEARER_TOKEN: it expired at 2001-09-09T01:46:40Z, and cannot be"))
  }

  @Test("prints SDKCTL_TOKEN for the user's, and refuses one that is not visible ASCII")
  func injected() async throws {
    let program = try await Self.program()
    program.setVariable("SDKCTL_TOKEN", "ci-token")
    expect(try await program.run("token"), .success, output: "ci-token\n")
    program.setVariable("SDKCTL_TOKEN", "ci token")
    expect(
      try await program.run("token"), .configuration,
      errors: """
        sdkctl: error: could not use SDKCTL_TOKEN: \
        it has spaces, line breaks or characters that are not ASCII

        """)
  }

  @Test("asks for a login if nobody is logged in, or the login is over")
  func notLoggedIn() async throws {
    let program = try TestProgram([:])
    try await program.register()
    expect(
      try await program.run("token"), .authenticationRequired,
      errors: """
        sdkctl: error: could not use the user's token: nobody is logged in to 'work'
        sdkctl: hint: sdkctl -p work login

        """)
    try await program.store("u1", lifetime: -1, refreshToken: nil)
    expect(
      try await program.run("token"), .authenticationRequired,
      errors: """
        sdkctl: error: could not use the login of 'work': it expired and cannot be refreshed
        sdkctl: hint: sdkctl -p work login

        """)
    let run = try await program.run("token", "--json")
    #expect(run.status == .status(.authenticationRequired))
    #expect(run.output == "")
    #expect(
      run.jsonError == [
        "code": "session_expired", "exit": 4, "retryable": false,
        "message": "could not use the login of 'work': it expired and cannot be refreshed",
        "hint": "sdkctl -p work login", "domain": "user", "number": 9010,
      ])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let answer: FakeTransport.Response
    let exit: ExitCode
    let isKept: Bool
    var testDescription: String { "\(exit)" }
  }

  @Test(
    "has different exit statuses for a refusal and other errors",
    arguments: [
      Row(
        answer: .json(#"{"error":"invalid_grant"}"#, status: 400), exit: .authenticationRequired,
        isKept: false),
      Row(
        answer: .json(#"{"error":"invalid_scope"}"#, status: 400), exit: .refused, isKept: true),
      Row(answer: .status(503), exit: .network, isKept: true),
      Row(answer: .failure(.timeout, "timed out"), exit: .network, isKept: true),
      Row(answer: .failure(.tls, "no"), exit: .tls, isKept: true),
      Row(answer: .failure(.notPinned, "no pins"), exit: .pin, isKept: true),
      Row(answer: .json("{}"), exit: .failure, isKept: true),
    ])
  func trouble(row: Row) async throws {
    let program = try await Self.program(lifetime: 1)
    program.transport.respond(FakeServer.tokenURL, row.answer)
    let run = try await program.run("token")
    #expect(run.status == .status(row.exit))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not "))
    #expect(!run.errors.contains("refresh-1") && !run.errors.contains("u1"))
    #expect((try await program.stored()?.refreshToken == "refresh-1") == row.isKept)
  }

  @Test("--proof-for needs a form that carries the proof")
  func proofForm() async throws {
    let words = ["token", "--proof-for", "GET https://api.test/me"]
    #expect(try await Self.program().run(words).status == .status(.usage))
    let run = try await Self.program().run(words + ["--json"])
    #expect(run.status == .status(.success))
    #expect(run.json?["proof"] == .null)
  }

  @Test(
    "refuses wrong options",
    arguments: [
      ["--env", "csh"], ["--header", "--curl"], ["--proof-for", "GET"], ["--min-ttl", "x"],
    ])
  func usage(words: [String]) async throws {
    let run = try await Self.program().run(["token"] + words)
    #expect(run.status == .status(.usage))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: "))
  }
}
