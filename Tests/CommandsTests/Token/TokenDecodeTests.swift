import CoreTestSupport

@testable import Commands

@Suite("token decode")
struct TokenDecodeTests {
  @Test("does not repeat a long name that is not that of a file: it may be an opaque token")
  func opaqueOperand() async throws {
    for operand in [String(repeating: "s3cret", count: 6), String(repeating: "s3cret", count: 600)]
    {
      expect(
        try await TestProgram().run("token", "decode", operand), .failure,
        errors: """
          sdkctl: error: could not read the token: there is no file of that name
          sdkctl: hint: give a file that holds the token, or - and the token on standard input

          """)
    }
  }
}
