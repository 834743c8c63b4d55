import CoreTestSupport
import Foundation

@testable import Commands

@Suite("credential git")
struct CredentialGitTests {
  @Test("shows a login on the terminal, not on standard error")
  func terminal() async throws {
    let program = try TestProgram(["allowedHosts": ["git.test"]])
    try await program.register()
    program.browser.remove()
    let shown = try FileHandle(
      forUpdating: URL(fileURLWithPath: program.folder.write("", to: "terminal")))
    program.terminal.show(in: Output(descriptor: shown.fileDescriptor, capacity: 0))
    let run = try await program.run(
      "credential", "git", "--interactive", "get", "--timeout", "1",
      input: "protocol=https\nhost=git.test\n\n")
    #expect(!run.errors.contains("https://id.test/authorize"))
    #expect(try program.folder.text(of: "terminal").contains("https://id.test/authorize?"))
    withExtendedLifetime(shown) {}
  }
}
