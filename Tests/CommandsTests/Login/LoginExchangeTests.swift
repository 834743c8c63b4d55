import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("login exchange")
struct LoginExchangeTests {
  @Test("warns if the server returns an unbound token although dpop is on")
  func unbound() async throws {
    let program = try await LoginTests.program(["dpop": "on"])
    let run = try await program.run(
      ["login", "exchange", "--token-file", "-", "-q"], input: "tok")
    expect(
      run, .success,
      errors: "sdkctl: warning: the server binds no tokens: this is a bearer token\n")
  }
}
