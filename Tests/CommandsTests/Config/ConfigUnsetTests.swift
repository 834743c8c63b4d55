import TestSupport
import Testing

@testable import Commands

@Suite("config unset")
struct ConfigUnsetTests {
  @Test("removes a default that makes other commands fail")
  func unset() async throws {
    let program = try TestProgram([:])
    try program.folder.write(
      #"{"version": 1, "current": "work", "defaults": {"fetch": {"nope": 1}}}"#,
      to: "store/config/config.json")
    #expect(try await program.run("profile", "list").status == .status(.configuration))
    expect(try await program.run("config", "unset", "defaults.fetch.nope"), .success)
    #expect(try await program.run("profile", "list").status == .status(.success))
    #expect(try await program.run("config", "list").output == "")
  }
}
