import TestSupport
import Testing

@testable import Commands

@Suite("config get")
struct ConfigGetTests {
  @Test("prints one value, and exits with 1 without it")
  func get() async throws {
    let program = try TestProgram([:])
    #expect(
      try await program.run("config", "set", "defaults.fetch.retry=3").status == .status(.success))
    expect(try await program.run("config", "get", "defaults.fetch.retry"), .success, output: "3\n")
    expect(
      try await program.run("config", "get", "alias.x"), .failure,
      errors: "sdkctl: error: 'alias.x' is not set\n")
  }
}
