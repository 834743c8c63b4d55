import CoreTestSupport
import SDKCore

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

  private static func program() async throws -> TestProgram {
    let program = try TestProgram([:])
    try await program.store(token, idToken: token.replacing(".AAAA", with: ".BBBB"))
    return program
  }

  @Test("shows header, payload and times of the stored token, and that nothing was checked")
  func stored() async throws {
    expect(try await Self.program().run("token", "decode"), .success, output: Self.text)
    expect(
      try await Self.program().run("token", "decode", "--id-token"), .success, output: Self.text)
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
