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

  @Test(
    "refuses what is wrong with a hint, and writes nothing",
    arguments: [
      ([], .usage, "see 'sdkctl help profile unset'"),
      (["nonsense"], .configuration, "sdkctl help profiles"),
    ] as [([String], ExitCode, String?)])
  func refuse(words: [String], exit: ExitCode, hint: String?) async throws {
    let program = try TestProgram([:])
    let before = try program.members()
    let run = try await program.run(["profile", "unset"] + words)
    #expect(run.status == .status(exit))
    #expect(run.output == "")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("sdkctl: error: ") == true)
    #expect(lines.dropFirst().map(String.init) == (hint.map { ["sdkctl: hint: \($0)"] } ?? []))
    #expect(try program.members() == before)
  }
}
