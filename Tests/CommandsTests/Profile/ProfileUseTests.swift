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

  @Test("fails with 3 for a profile that does not exist")
  func missing() async throws {
    let run = try await TestProgram.withOther().run("profile", "use", "nobody")
    #expect(run.status == .status(.configuration))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not "))
    #expect(run.errors.hasSuffix("sdkctl: hint: sdkctl profile list\n"))
  }
}
