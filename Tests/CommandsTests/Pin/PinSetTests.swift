import CoreTestSupport

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
}
