import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("profile import --dry-run")
struct ProfileImportPreviewTests {
  @Test("compares with the profile that it would change")
  func existing() async throws {
    let program = try TestProgram(["scope": "a"])
    let run = try await program.run(
      "profile", "import", "--dry-run", "-", input: #"{"scope": "b"}"#)
    expect(
      run, .success, output: "scope=b (before: a)\n", errors: "sdkctl: nothing was changed\n")
    #expect(try program.store.profile(program.name).scope == "a")
  }
}
