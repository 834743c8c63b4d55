import POSIX
import SDKCore
import TestSupport
import Testing

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

  @Test("looks for the command before it listens")
  func missing() async throws {
    let program = try await TestProgram.loggedIn()
    expect(
      try await program.run("proxy", "--", "/nowhere/tool"), .notFound,
      errors: "sdkctl: error: could not run '/nowhere/tool': it does not exist\n")
    try program.folder.write("text", to: "bin/text", mode: 0o644)
    let text = program.folder.file("bin/text")
    expect(
      try await program.run("proxy", "--", text), .notExecutable,
      errors: "sdkctl: error: could not run '\(text)': it is not an executable file\n")
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

  @Test("never takes the place of a file")
  func file() async throws {
    let program = try await TestProgram.loggedIn()
    try program.folder.write("kept", to: "file")
    let path = program.folder.file("file")
    expect(
      try await program.run("proxy", "--socket", path), .failure,
      errors: "sdkctl: error: could not listen: \(path) exists and is no socket\n")
    #expect(try program.folder.bytes(of: "file") == Array("kept".utf8))
  }
}
