import JSON
import SDKCore
import Testing

@testable import Commands

@Suite("profile use")
struct ProfileUseTests {
  @Test("makes a profile the current one, and says so")
  func use() async throws {
    let program = try await TestProgram.withOther()
    expect(
      try await program.run("profile", "use", "other"), .success,
      errors: "sdkctl: the current profile is 'other'\n")
    #expect(try program.store.current()?.description == "other")
  }

  @Test(
    "takes the profile as an operand or by --profile, which cannot name two",
    arguments: [
      (["use", "other"], ExitCode.success), (["use", "-p", "other"], .success),
      (["use", "-p", "other", "other"], .success), (["use", "-p", "work", "other"], .usage),
      (["use"], .usage), (["remove", "--yes"], .usage),
      (["remove", "--yes", "-p", "work", "other"], .usage),
      (["copy", "-p", "other", "work", "x"], .usage),
    ])
  func named(words: [String], exit: ExitCode) async throws {
    let program = try await TestProgram.withOther()
    #expect(try await program.run(["profile"] + words).status == .status(exit))
    #expect(try program.store.current()?.description == (exit == .success ? "other" : "work"))
    #expect(try program.store.names().count == 2)
  }
}
