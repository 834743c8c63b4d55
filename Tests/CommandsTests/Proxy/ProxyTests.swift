import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("proxy")
struct ProxyTests {
  @Test(
    "refuses places and origins that are none",
    arguments: [
      ["--port", "0"], ["--port", "65536"], ["--port", "http"],
      ["--port", "8080", "--socket", "s"],
      ["--allow-origin", "app.test"], ["--allow-origin", "https://app.test/"],
      ["--allow-origin", "https://app.test/path"], ["--allow-origin", "https://app.test?a"],
      ["--allow-origin", "*"], ["--allow-origin", "null"], ["--user", "--anonymous"],
    ])
  func usage(words: [String]) async throws {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run(["proxy"] + words)
    #expect(run.status == .status(.usage))
    #expect(run.output == "")
  }

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
