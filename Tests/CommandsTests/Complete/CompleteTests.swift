import SDKCore
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

@Suite("__complete")
struct CompleteTests {
  private static func program() async throws -> TestProgram {
    let program = try await PinListTests.program()
    try program.store.add(try Profile(name: try ProfileName("other")))
    return program
  }

  @Test(
    "prints what may follow, one a line",
    arguments: [
      (["profiles"], "other\nwork\n"), (["pinned-hosts"], "**.api.test\nid.test\n"),
      (["pinned-hosts", "--", "pin", "show", "-p", "other"], ""),
      (["pinned-hosts", "--", "pin", "show", "--profile", "work"], "**.api.test\nid.test\n"),
      (["pinned-hosts", "--", "--profile=other", "pin"], ""), (["nonsense"], ""),
    ])
  func values(words: [String], output: String) async throws {
    expect(try await Self.program().run(["__complete"] + words), .success, output: output)
  }

  @Test("prints the keys of profiles, and settings with their equals sign")
  func keys() async throws {
    let keys = ProfileKey.all.map(\.name)
    #expect(keys.contains("issuer"))
    expect(
      try await TestProgram().run("__complete", "profile-keys"), .success,
      output: keys.map { $0 + "\n" }.joined())
    let run = try await TestProgram().run("__complete", "profile-settings")
    let settings = run.output.split(separator: "\n")
    #expect(Set(settings.map { String($0.prefix { $0 != "=" }) }) == Set(keys))
    #expect(settings.contains("issuer="))
    #expect(
      settings.filter { $0.hasPrefix("pinPolicy=") } == ["pinPolicy=enforce", "pinPolicy=report"])
    #expect(settings.filter { $0.hasPrefix("par=") } == ["par=true", "par=false"])
    #expect(!settings.contains("reauthenticate=fido"))
  }

  @Test("prints commands and topics for help, but no hidden command")
  func help() async throws {
    let words = try await TestProgram().run("__complete", "help").output.split(separator: "\n")
    #expect(words.contains("fetch") && words.contains("profiles") && words.contains("pin"))
    #expect(!words.contains("__complete"))
  }

  @Test("prints nothing after an error")
  func trouble() async throws {
    let program = try TestProgram()
    try program.folder.write("{", to: "store/config/config.json")
    for kind in ["profiles", "pinned-hosts"] {
      expect(try await program.run("__complete", kind), .success)
    }
    program.setVariable("SDKCTL_HOME", nil)
    program.setVariable("HOME", nil)
    expect(try await program.run("__complete", "profiles"), .success)
  }
}
