import JSON
import SDKCore
import Testing

@testable import Commands

@Suite("profile set")
struct ProfileSetTests {
  @Test("writes typed values, silently")
  func writes() async throws {
    let program = try TestProgram([:])
    expect(
      try await program.run("profile", "set", "scope=a b", "insecureLoopback=true"), .success)
    #expect(try program.members()["scope"] == "a b")
    #expect(try program.members()["insecureLoopback"] == true)
  }

  @Test(
    "refuses what is wrong with a hint, and writes nothing",
    arguments: [
      (["scope=x", "pinPolicy=maybe"], .configuration, nil),
      (["scope=x", "nonsense=1"], .configuration, "sdkctl help profiles"),
      (
        ["scope=x", "isuer=https://id.test"], .configuration,
        "did you mean 'issuer'? see 'sdkctl help profiles'"
      ),
      (["scope=x", "issuer=http://id.test"], .configuration, nil),
      (["scope"], .usage, "see 'sdkctl help profile set'"),
      (["=x"], .usage, "see 'sdkctl help profile set'"),
      ([], .usage, "see 'sdkctl help profile set'"),
    ] as [([String], ExitCode, String?)])
  func refuse(words: [String], exit: ExitCode, hint: String?) async throws {
    try await expectNoChange(["profile", "set"] + words, exit, hint)
  }
}
