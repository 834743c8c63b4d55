import JSON
import SDKCore
import Testing

@testable import Commands

@Suite("profile rename")
struct ProfileRenameTests {
  @Test("keeps tokens and the current profile")
  func rename() async throws {
    let program = try TestProgram.withOther()
    try await program.store("u1")
    expect(
      try await program.run("profile", "rename", "work", "office"), .success,
      errors: "sdkctl: renamed the profile 'work' to 'office'\n")
    #expect(try program.store.names().map(\.description) == ["office", "other"])
    #expect(try program.store.current()?.description == "office")
    let run = try await program.run("token")
    #expect(run.output == "u1\n")
  }

  @Test("with --json prints both names")
  func json() async throws {
    let run = try await TestProgram([:]).run("profile", "rename", "work", "office", "--json")
    expect(run, .success, output: #"{"from":"work","profile":"office"}"# + "\n")
  }

  @Test("does not replace a profile, and refuses a name that is not valid")
  func renameRefused() async throws {
    let program = try TestProgram.withOther()
    for name in ["other", ".x", "a/b"] {
      let run = try await program.run("profile", "rename", "work", name)
      #expect(run.status == .status(.configuration), "\(name)")
    }
    #expect(try program.store.names().map(\.description) == ["other", "work"])
  }

  @Test("fails with 3 for a profile that does not exist")
  func missing() async throws {
    let run = try await TestProgram.withOther().run("profile", "rename", "nobody", "x")
    #expect(run.status == .status(.configuration))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not "))
    #expect(run.errors.hasSuffix("sdkctl: hint: sdkctl profile list\n"))
  }
}
