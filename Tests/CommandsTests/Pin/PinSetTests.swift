import Pinning
import Primitives
import TestSupport
import Testing

@testable import Commands

@Suite("pin set")
struct PinSetTests {
  @Test("changes policy, expiry and comment, and keeps the keys")
  func changes() async throws {
    let program = try await PinListTests.program()
    let keys = try #require(try program.pinSets().first).keys
    expect(
      try await program.run(
        "pin", "set", "**.api.test", "--policy", "report", "--expires", "2027-06-01", "--comment",
        "ask ops"),
      .success, errors: "sdkctl: changed the pins of **.api.test\n")
    var set = try #require(try program.pinSets().first)
    #expect(
      set.policy == .report && set.expires == Timestamp(1_811_894_400) && set.comment == "ask ops")
    #expect(set.keys == keys && set.includesSubdomains)
    _ = try await program.run(
      "pin", "set", "**.api.test", "--policy", "profile", "--expires", "never", "--comment", "")
    set = try #require(try program.pinSets().first)
    #expect(set.policy == nil && set.expires == nil && set.comment == nil)
  }

  @Test("needs something to change")
  func nothing() async throws {
    let program = try await PinListTests.program()
    expect(
      try await program.run("pin", "set", "id.test"), .usage,
      errors:
        "sdkctl: error: nothing to change: --policy, --expires or --comment is needed\n")
  }

  @Test("enforces a single pin only with --no-backup")
  func backup() async throws {
    let program = try await PinListTests.program()
    expect(
      try await program.run("pin", "set", "id.test", "--policy", "enforce"), .usage,
      errors: """
        sdkctl: error: could not enforce the pins of id.test: it has only one pin; add a backup \
        pin, or use --no-backup

        """)
    let run = try await program.run(
      "pin", "set", "id.test", "--policy", "enforce", "--no-backup", "-q")
    expect(run, .success)
    #expect(try program.pinSets().last?.policy == .enforce)
    expect(
      try await program.run("pin", "set", "**.api.test", "--policy", "enforce", "-q"), .success)
  }

  @Test("fails with 8 for a host without pins")
  func unknown() async throws {
    let run = try await PinListTests.program().run("pin", "set", "x.test", "--comment", "x")
    expect(
      run, .pin,
      errors: """
        sdkctl: error: could not find pins for x.test
        sdkctl: hint: sdkctl -p work pin list

        """)
  }
}
