import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("config set")
struct ConfigSetTests {
  @Test("makes an alias and a default, which the next command has")
  func set() async throws {
    let program = try TestProgram([:])
    let words = [
      "config", "set", "alias.where=profile show -q", "defaults.fetch.dry-run=true",
      #"defaults.fetch.header=["A: 1","B: 2"]"#, "defaults.*.timeout=1m",
    ]
    expect(try await program.run(words), .success)
    #expect(try await program.run("where").output.hasPrefix("issuer="))
    let lines = try await program.run("fetch", "--unauth", "/x").output.split(separator: "\n")
    #expect(lines.contains("A: 1") && lines.contains("B: 2"))
    #expect(try await program.run("profile", "list").output.contains("work"), "'current' stays")
  }

  @Test(
    "refuses what no command line could have, and changes nothing then",
    arguments: [
      ("alias.fetch=x", "could not set the alias 'fetch': it is a command"),
      ("alias.a='x", "could not set the alias 'a': a quote is left open"),
      ("alias.a=", "could not set the alias 'a': the command line is empty"),
      ("alias.-a=x", "could not set the alias '-a': it cannot be typed as a command"),
      ("defaults.fetsh.retry=1", "there is no such command"),
      ("defaults.fetch.retries=1", "there is no such option"),
      ("defaults.fetch.dry-run=maybe", "expected true or false"),
      ("defaults.*.profile=x", "this option has no default"),
      ("current=x", "expected alias.NAME or defaults.COMMAND.OPTION"),
      ("alias.x", "expected KEY=VALUE"),
    ])
  func refused(setting: String, cause: String) async throws {
    let program = try TestProgram([:])
    let before = try program.folder.text(of: "store/config/config.json")
    let run = try await program.run("config", "set", "alias.good=status", setting)
    #expect(run.errors.contains(cause), "\(run)")
    #expect(run.status != .status(.success))
    #expect(try program.folder.text(of: "store/config/config.json") == before)
  }
}
