import CoreTestSupport

@testable import SDKCore

@Suite("A login that waits for one of another process")
struct LoginQueueTests {
  /// What the other process did meanwhile, and what the login that waits for it returns.
  enum Case: CaseIterable {
    case loggedIn, failed, askedForOther, storedNothing
  }

  @Test("gets its result if that was for the same request", arguments: Case.allCases)
  func meanwhile(what: Case) async throws {
    let world = try await World.registered()
    try await world.store("before")
    let queue = try world.session().login.queue
    let lock = try await ProfileLock.acquire(.login, of: world.name, at: world.location)
    let steps = SteppedExecutor()
    let waiting = Task(executorPreference: steps) {
      try await queue.result(within: .seconds(600), asking: "same", for: LoginOptions()) {
        () throws(SDKError) in throw SDKError(.denied, "it logs in itself")
      }
    }
    steps.drain()
    if what != .storedNothing { try await world.store("shared") }
    AttemptLog(world.location, world.name).note(
      what == .failed ? SDKError(.refused, "no") : nil,
      of: what == .askedForOther ? "other" : "same", at: World.now)
    lock.release()
    steps.letRun()
    if what == .loggedIn {
      let result = try await waiting.value
      #expect(result.isShared)
      #expect(result.tokens.accessToken == "shared")
    } else {
      let error = await #expect(throws: SDKError.self) { _ = try await waiting.value }
      #expect(error?.code == (what == .failed ? .refused : .denied))
    }
  }
}
