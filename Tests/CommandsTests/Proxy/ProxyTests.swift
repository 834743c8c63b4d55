import CoreTestSupport

@testable import Commands

@Suite("proxy")
struct ProxyTests {
  @Test("gives the command its address, and no token of the environment")
  func environment() async throws {
    let program = try await TestProgram.loggedIn()
    for name in Environment.tokenVariables { program.setVariable(name, "secret") }
    let file = program.folder.file("variables")
    let run = try await program.run("proxy", "--", "/bin/sh", "-c", "export >'\(file)'")
    #expect(run.status == .command(0))
    let text = try program.folder.text(of: "variables")
    #expect(text.contains("SDKCTL_PROXY_URL") && !text.contains("secret"))
  }
}
