import Testing

@testable import Sandbox

@Suite("Wrong passwords make a name wait")
struct PasswordTriesTests {
  static func after(_ count: Int, at now: Int = 1_000) -> PasswordTries {
    var tries = PasswordTries()
    for _ in 0..<count { tries.note(wrongPasswordOf: "alice", now: now) }
    return tries
  }

  @Test("the fifth one does, for thirty seconds", arguments: [0, 4, 5, 9])
  func waits(count: Int) {
    let tries = Self.after(count)
    #expect(tries.wait(for: "alice", now: 1_000) == (count < 5 ? nil : 30))
    #expect(tries.wait(for: " Alice", now: 1_029) == (count < 5 ? nil : 1))
    #expect(tries.wait(for: "alice", now: 1_030) == nil)
    #expect(tries.wait(for: "bob", now: 1_000) == nil)
  }

  @Test("old ones no longer count, nor those before a right one")
  func forgets() {
    var tries = Self.after(4)
    tries.note(wrongPasswordOf: "alice", now: 1_030)
    #expect(tries.wait(for: "alice", now: 1_030) == nil)
    tries = Self.after(4)
    tries.forget("ALICE")
    tries.note(wrongPasswordOf: "alice", now: 1_001)
    #expect(tries.wait(for: "alice", now: 1_001) == nil)
  }
}
