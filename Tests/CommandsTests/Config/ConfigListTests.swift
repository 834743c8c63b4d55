import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("config list")
struct ConfigListTests {
  @Test("has the user's values, and those of the site that the user does not have")
  func list() async throws {
    let program = try TestProgram([:])
    try program.folder.write(
      #"{"version": 1, "alias": {"me": "fetch /me"}, "defaults": {"*": {"timeout": 30}}}"#,
      to: "store/config/config.json")
    try program.folder.write(
      #"{"version": 1, "alias": {"me": "status", "s": "status"}}"#, to: "site/config.json")
    let (own, site) = (
      program.folder.file("store/config/config.json"), program.folder.file("site/config.json")
    )
    expect(
      try await program.run("config", "list"), .success,
      output:
        "alias.me\tfetch /me\t\(own)\nalias.s\tstatus\t\(site)\ndefaults.*.timeout\t30\t\(own)\n")
    let json = try await program.run("config", "list", "--json").json
    #expect(json?.array?.last == ["key": "defaults.*.timeout", "value": 30, "file": .string(own)])
  }
}
