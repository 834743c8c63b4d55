import CoreTestSupport

@testable import Commands

@Suite("completion")
struct CompletionTests {
  @Test(
    "prints the script that is committed",
    arguments: [("bash", "sdkctl.bash"), ("zsh", "_sdkctl"), ("fish", "sdkctl.fish")])
  func script(shell: String, file: String) async throws {
    expect(
      try await TestProgram().run("completion", shell), .success,
      output: try Repository.text(of: "completions/\(file)"))
  }
}
