import SDKCore
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

@Suite("__complete")
struct CompleteTests {
  private static func program() async throws -> TestProgram {
    let program = try await PinListTests.program()
    try await program.store.add(try Profile(name: try ProfileName("other")))
    return program
  }

  /// The words that are offered, without their summaries.
  private static func words(_ line: [String], _ program: TestProgram) async throws -> [String] {
    let run = try await program.run(["__complete", "--"] + line)
    expect(run, .success, output: run.output)
    return run.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "\t" }) }
  }

  @Test(
    "prints what may follow, one a line",
    arguments: [
      (["-p", ""], ["other", "work"]), (["--profile=o"], ["--profile=other", "--profile=work"]),
      (["profile", "use", ""], ["other", "work"]),
      (["pin", "show", ""], ["**.api.test", "id.test"]),
      (["pin", "show", "-p", "other", ""], []),
      (["pin", "show", "--profile", "work", ""], ["**.api.test", "id.test"]),
      (["--profile=other", "pin", "show", ""], []),
      (["pin", "-pother", "show", ""], []),
      (["help", "account", ""], ["create", "reset-password"]), (["help", "profiles", ""], []),
      (["fetch", "-X", ""], ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
      (["login", "--prompt", ""], ["login", "consent", "select_account", "none", "create"]),
      (["pin", "set", "--field", ""], ["host", "policy", "expires", "comment"]),
      (["nonsense", ""], []),
    ])
  func values(words: [String], expected: [String]) async throws {
    #expect(try await Self.words(words, Self.program()) == expected)
  }

  @Test("tells the shell where files are wanted")
  func files() async throws {
    expect(
      try await TestProgram().run("__complete", "--", "fetch", "--output=x"), .success,
      output: "files\t--output=\n")
  }

  @Test("offers commands, external ones and aliases, but no hidden one")
  func commands() async throws {
    let program = try TestProgram()
    try program.folder.write(
      #"{"version":1,"alias":{"me":"fetch /me"}}"#, to: "store/config/config.json")
    try program.folder.write("#!/bin/sh\n", to: "bin/sdkctl-extra", mode: 0o755)
    program.setVariable("PATH", program.folder.file("bin"))
    let words = try await Self.words([""], program)
    #expect(Set(words).isSuperset(of: ["me", "extra", "fetch", "pin"]))
    #expect(!words.contains { $0.hasPrefix("__") })
  }

  @Test("prints the keys of profiles, and settings with their equals sign")
  func keys() async throws {
    let keys = SettingTable.ofProgram.keys.map(\.name)
    #expect(keys.contains("issuer"))
    #expect(try await Self.words(["profile", "unset", ""], TestProgram()) == keys)
    let settings = try await Self.words(["profile", "set", ""], TestProgram())
    #expect(Set(settings.map { String($0.prefix { $0 != "=" }) }) == Set(keys))
    #expect(settings.contains("issuer="))
    #expect(
      settings.filter { $0.hasPrefix("pinPolicy=") } == ["pinPolicy=enforce", "pinPolicy=report"])
    #expect(settings.filter { $0.hasPrefix("par=") } == ["par=true", "par=false"])
    #expect(settings.contains("reauthenticate=fido"))
  }

  @Test("prints commands and topics for help, but no hidden command")
  func help() async throws {
    let words = try await Self.words(["help", ""], TestProgram())
    #expect(words.contains("fetch") && words.contains("profiles") && words.contains("pin"))
    #expect(!words.contains("__complete"))
  }

  @Test("prints nothing after an error")
  func trouble() async throws {
    let program = try TestProgram()
    try program.folder.write("{", to: "store/config/config.json")
    for words in [["-p", ""], ["pin", "show", ""]] {
      #expect(try await Self.words(words, program) == [])
    }
    #expect(try await Self.words([""], program).contains("fetch"))
    program.setVariable("SDKCTL_HOME", nil)
    program.setVariable("HOME", nil)
    #expect(try await Self.words(["-p", ""], program) == [])
  }
}
