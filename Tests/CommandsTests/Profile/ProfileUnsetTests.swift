import JSON
import SDKCore
import Testing

@testable import Commands

@Suite("profile unset")
struct ProfileUnsetTests {
  @Test("removes values, silently")
  func removes() async throws {
    let program = try TestProgram(["scope": "a b", "insecureLoopback": true])
    expect(try await program.run("profile", "unset", "scope", "insecureLoopback"), .success)
    #expect(
      try program.members() == [
        "issuer": "https://id.test", "resourceURL": "https://api.test/v1",
      ])
  }

  @Test("removes the servers too: what is left is a profile for pins")
  func servers() async throws {
    let program = try TestProgram([:])
    expect(try await program.run("profile", "unset", "issuer", "resourceURL"), .success)
    #expect(try program.members().isEmpty)
  }

  @Test(
    "refuses what is wrong with a hint, and writes nothing",
    arguments: [
      ([], .usage, "see 'sdkctl help profile unset'"),
      (["nonsense"], .configuration, "sdkctl help profiles"),
    ] as [([String], ExitCode, String?)])
  func refuse(words: [String], exit: ExitCode, hint: String?) async throws {
    try await expectNoChange(["profile", "unset"] + words, exit, hint)
  }
}
