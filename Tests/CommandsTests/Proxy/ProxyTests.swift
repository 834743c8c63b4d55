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
    expect(try await program.run(["proxy"] + words), .usage)
  }

  @Test("looks for the command before it listens")
  func missing() async throws {
    let program = try await TestProgram.loggedIn()
    expect(try await program.run("proxy", "--", "/nowhere/tool"), .notFound)
    try program.folder.write("text", to: "bin/text", mode: 0o644)
    expect(try await program.run("proxy", "--", program.folder.file("bin/text")), .notExecutable)
  }

  @Test("needs the URL of the resources")
  func withoutResources() async throws {
    let program = try await TestProgram.loggedIn()
    expect(try await program.run("profile", "unset", "resourceURL"), .success)
    expect(try await program.run("proxy"), .configuration)
  }

  @Test("never takes the place of a file")
  func file() async throws {
    let program = try await TestProgram.loggedIn()
    try program.folder.write("kept", to: "file")
    expect(try await program.run("proxy", "--socket", program.folder.file("file")), .failure)
    #expect(try program.folder.bytes(of: "file") == Array("kept".utf8))
  }
}
