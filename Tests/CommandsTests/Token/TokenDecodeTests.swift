import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token decode")
struct TokenDecodeTests {
  // {"alg":"ES256","kid":"k"} . {"exp":1800000300,"iat":1799999880,"sub":"alice"}
  private static let token =
    "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ"
    + ".eyJleHAiOjE4MDAwMDAzMDAsImlhdCI6MTc5OTk5OTg4MCwic3ViIjoiYWxpY2UifQ.AAAA"

  private static let text = """
    header
    {
      "alg": "ES256",
      "kid": "k"
    }
    payload
    {
      "exp": 1800000300,
      "iat": 1799999880,
      "sub": "alice"
    }
    times
      iat  2027-01-15T07:58:00Z  (2 minutes ago)
      exp  2027-01-15T08:05:00Z  (in 5 minutes)
    signature
      not verified

    """

  private static let json: JSON = [
    "header": ["alg": "ES256", "kid": "k"],
    "payload": ["exp": 1_800_000_300, "iat": 1_799_999_880, "sub": "alice"],
    "signature": ["status": "not-verified", "alg": "ES256", "kid": "k"],
    "times": ["iat": "2027-01-15T07:58:00Z", "exp": "2027-01-15T08:05:00Z"],
  ]

  private static func program() async throws -> TestProgram {
    let program = try TestProgram([:])
    try await program.store(token, idToken: token.replacing(".AAAA", with: ".BBBB"))
    return program
  }

  @Test("shows a time in milliseconds as what it is, and says that a token is unsigned, in red")
  func mistakes() async throws {
    let program = try TestProgram()
    let token = TestToken.text(#"{"exp":1800000300000,"iat":1}"#, header: #"{"alg":"none"}"#)
    let run = try await program.run("token", "decode", "-", input: token)
    #expect(
      run.output.contains(
        "  exp  2027-01-15T08:05:00Z  (in 5 minutes; the number is in milliseconds, which is wrong)\n"
      ),
      "\(run)")
    #expect(run.output.hasSuffix("signature\n  none: the token is unsigned (alg is none)\n"))
    let json = try await program.run("token", "decode", "-", "--json", input: token).json
    #expect(json?["signature"]?["status"] == "unsigned")
    let past = TestToken.text(#"{"exp":1}"#)
    let red = try await program.run("token", "decode", "-", "--color", "always", input: past)
    #expect(red.output.contains("\u{1b}[31m  exp  1970-01-01T00:00:01Z"), "\(red)")
  }

  @Test("shows header, payload and times of the stored token, and that nothing was checked")
  func stored() async throws {
    expect(try await Self.program().run("token", "decode"), .success, output: Self.text)
    expect(
      try await Self.program().run("token", "decode", "--id-token"), .success, output: Self.text)
  }

  @Test("with --json prints one object a token, one a line")
  func json() async throws {
    let run = try await Self.program().run(
      "token", "decode", "--json", "-", input: " \(Self.token)\t\r\n\n\(Self.token)")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    for (line, number) in zip(lines, [1, 3]) {
      var object = try #require(try JSON(parsing: String(line)).object)
      #expect(object["line"] == .int(Int64(number)))
      object["line"] = nil
      #expect(.object(object) == Self.json)
    }
  }

  @Test("reads a file")
  func file() async throws {
    let program = try await Self.program()
    let file = try program.folder.write(Self.token + "\n", to: "token.jwt")
    expect(try await program.run("token", "decode", file), .success, output: Self.text)
  }

  @Test("never shows the signature")
  func signature() async throws {
    for words in [[], ["--json"]] {
      let run = try await Self.program().run(["token", "decode"] + words)
      #expect(!run.output.contains("AAAA"))
    }
  }

  @Test("fails with 4 if there is no token, with the login that fills it")
  func empty() async throws {
    let program = try TestProgram([:])
    for (words, hint) in [
      ([], "login"), (Words.slot(.implicit), "login --implicit"),
      (Words.slot(.anonymous), "login --anonymous"),
    ] {
      expect(
        try await program.run(["token", "decode"] + words), .authenticationRequired,
        errors: """
          sdkctl: error: could not decode the token: 'work' has no access token
          sdkctl: hint: sdkctl -p work \(hint)

          """)
    }
  }

  @Test("refuses a token as operand, and does not repeat it")
  func operand() async throws {
    for operand in [Self.token, "Bearer \(Self.token)"] {
      let run = try await Self.program().run("token", "decode", operand)
      #expect(run.status == .status(.usage))
      #expect(run.errors.contains("a token cannot be an operand"))
      #expect(!run.errors.contains("eyJ"))
    }
  }

  @Test("does not repeat a long name that is not that of a file: it may be an opaque token")
  func opaqueOperand() async throws {
    for operand in [String(repeating: "s3cret", count: 6), String(repeating: "s3cret", count: 600)]
    {
      expect(
        try await Self.program().run("token", "decode", operand), .failure,
        errors: """
          sdkctl: error: could not read the token: there is no file of that name
          sdkctl: hint: give a file that holds the token, or - and the token on standard input

          """)
    }
  }

  @Test("fails with 1 if the input is no JWT, is empty, or cannot be read")
  func failures() async throws {
    let program = try await Self.program()
    try await program.store("zzz-secret", in: .implicit)
    for (words, input, error) in [
      (["-"], " \n", "the input is empty"), (["-"], "x.y", nil), (["-"], "x.y.z", nil),
      (Words.slot(.implicit), "", nil),
    ] as [([String], String, String?)] {
      let run = try await program.run(["token", "decode"] + words, input: input)
      #expect(run.status == .status(.failure))
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("sdkctl: error: could not decode the token: \(error ?? "")"))
      #expect(!run.errors.contains("zzz-secret"))
    }
    let missing = program.folder.file("none")
    expect(
      try await program.run("token", "decode", missing), .failure,
      errors: "sdkctl: error: could not read the token: \(missing): no such file or directory\n")
    expect(
      try await program.run("token", "decode", ""), .usage,
      errors: """
        sdkctl: error: invalid FILE '': it is empty
        sdkctl: hint: see 'sdkctl help token decode'

        """)
  }

  @Test(
    "shows no time that is not of this era",
    arguments: ["-1", "253402300800000", "1e300", #""1""#])
  func otherEra(time: String) async throws {
    let token = TestToken.text(#"{"exp":\#(time)}"#)
    let run = try await TestProgram().run("token", "decode", "-", input: token)
    #expect(run.status == .status(.success))
    #expect(!run.output.contains("  exp  "), "\(run)")
  }
}
