import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("login assertion")
struct LoginAssertionTests {
  @Test("needs an assertion, or a subject to sign one about")
  func missing() async throws {
    expect(
      try await TestProgram([:]).run("login", "assertion"), .usage,
      errors: """
        sdkctl: error: one of --assertion-file, --assertion-command, \
        --assertion-from and --sub is missing

        """)
  }

  @Test("signs no assertion without a key")
  func noKey() async throws {
    let program = try await LoginTests.program()
    let run = try await program.run("login", "assertion", "--sub", "alice", "-q")
    #expect(run.status == .status(.configuration))
    #expect(program.transport.sent.isEmpty)
  }
}
