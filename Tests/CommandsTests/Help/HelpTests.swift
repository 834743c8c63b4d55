import CoreTestSupport

@testable import Arguments
@testable import Commands

@Suite("help")
struct HelpCommandTests {
  @Test("lists the commands, the same as without a word of help")
  func main() async throws {
    let program = try TestProgram()
    let run = try await program.run("help")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    for name in ["profile", "pin", "login", "token", "fetch", "logout"] {
      #expect(run.output.contains("\n  \(name)"), "\(name)")
    }
    #expect(!run.output.contains("__complete"))
  }

  @Test("explains every command and every topic")
  func everything() async throws {
    let program = try TestProgram()
    let names = commandTable.catalog.visibleEntries.map(\.page.name)
    #expect(names.contains("fetch"))
    for name in names + commandTable.catalog.topics.map(\.name) {
      let run = try await program.run("help", name)
      #expect(run.status == .status(.success), "\(name)")
      #expect(run.output.split(separator: "\n").count > 5, "\(name)")
      #expect(run.errors == "", "\(name)")
    }
  }

  @Test("is what --help prints")
  func option() async throws {
    let program = try TestProgram()
    let help = try await program.run("help", "pin", "add")
    #expect(help.output.contains("Usage: sdkctl pin add "))
    expect(try await program.run("pin", "add", "--help"), .success, output: help.output)
  }

  @Test("indents the summary of an option that is too long for the column")
  func longOption() async throws {
    let run = try await TestProgram().run("help", "pin", "show")
    let lines = run.output.split(separator: "\n")
    let index = try #require(
      lines.firstIndex(of: "      --connect-to HOST1:PORT1:HOST2:PORT2"))
    #expect(
      lines[index + 1].drop { $0 == " " } == "Connect to HOST2:PORT2 instead of HOST1:PORT1")
  }

  @Test("-a lists external commands and aliases too")
  func all() async throws {
    let program = try TestProgram()
    try program.folder.write("#!/bin/sh\n", to: "bin/sdkctl-extra", mode: 0o755)
    try program.folder.write(
      #"{"version":1,"alias":{"me":"fetch --user /me"}}"#, to: "store/config/config.json")
    let run = try await program.run("help", "-a")
    #expect(run.status == .status(.success))
    #expect(run.output.contains("extra"))
    #expect(run.output.contains("fetch --user /me"))
    expect(
      try await program.run("help", "me"), .success, output: "me: an alias of 'fetch --user /me'\n")
    #expect(try await !program.run("help").output.contains("fetch --user /me"))
  }
}
