import CoreTestSupport

@testable import SDKCore

@Suite("After a login that failed")
struct LoginGuardTests {
  @Test(
    "the next browser opens five seconds later at the soonest",
    arguments: [(0, [5]), (2, [3]), (5, []), (-3, [])] as [(Int64, [Int64])])
  func cooldown(later: Int64, pauses: [Int64]) async throws {
    let world = try await Self.world()
    await Self.fail(world)
    #expect(try world.folder.mode(of: "cache/logins/work.json") == 0o600)
    world.now = world.now + later
    var options = LoginOptions()
    options.timeout = .zero
    let told = Mutex<[Int64]>([])
    options.pausing = { seconds in told.withLock { $0.append(seconds) } }
    let chosen = options
    let seen = Mutex(0)
    let session = try world.session()
    await expect(.network, "could not log in: no response came from the browser in time") {
      _ = try await session.login.logIn(by: .browser { _ in seen.withLock { $0 += 1 } }, chosen)
    }
    #expect(world.pauses == pauses)
    #expect(told.withLock { $0 } == pauses)
  }

  @Test("a login by hand or on a device waits for nothing, and one that succeeds forgets it")
  func others() async throws {
    let world = try await Self.world()
    await Self.fail(world)
    let person = Person(["code=c&state=STATE"])
    _ = try await world.session().login.logIn(by: person.way)
    #expect(world.pauses.isEmpty)
    let outcome = try #require(AttemptLog(world.location, world.name).last())
    #expect(outcome.error == nil)
    #expect(outcome.pause(at: world.now) == 0)
  }

  @Test("only what asks for the same counts as the same login")
  func requests() async throws {
    let world = try await Self.world()
    let session = try world.session()
    var options = LoginOptions()
    let plain = try await session.login.queue.digest(of: options)
    options = LoginOptions(timeout: .seconds(1), port: 8976)
    #expect(try await session.login.queue.digest(of: options) == plain)
    let changes: [(inout LoginOptions) -> Void] = [
      { $0.scope = "a" }, { $0.bindsTokens = true }, { $0.bindsTokens = false },
      { $0.parameters["acr_values"] = "2" }, { $0.parameters["max_age"] = "2" },
      { $0.parameters["login_hint"] = "alice" }, { $0.scope = "" },
    ]
    var requests: [String] = []
    for change in changes {
      var options = LoginOptions()
      change(&options)
      requests.append(try await session.login.queue.digest(of: options))
    }
    try world.set("scope", to: "b")
    requests.append(try await world.session().login.queue.digest(of: LoginOptions()))
    try await world.register(redirectURI: "http://127.0.0.1:61000/cb")
    requests.append(try await world.session().login.queue.digest(of: LoginOptions()))
    #expect(Set(requests + [plain]).count == changes.count + 3)
    #expect(requests.allSatisfy { !$0.contains("alice") })
  }

  @Test("a browser that the caller shows waits too")
  func handled() async throws {
    let world = try await Self.world()
    await Self.fail(world)
    _ = try? await world.session().login.logIn(by: .handled { $0.cancel() })
    #expect(!world.pauses.isEmpty)
  }

  @Test("the next browser of another request, or of another client, opens at once")
  func otherRequests() async throws {
    let world = try await Self.world()
    await Self.fail(world)
    let chosen = LoginOptions(scope: "other", timeout: .zero)
    var session = try world.session()
    _ = try? await session.login.logIn(by: .browser { _ in }, chosen)
    #expect(world.pauses.isEmpty)
    try await world.register(redirectURI: "http://127.0.0.1:0/cb")
    let plain = LoginOptions(timeout: .zero)
    session = try world.session()
    _ = try? await session.login.logIn(by: .browser { _ in }, plain)
    #expect(world.pauses.isEmpty)
  }

  @Test("that was cancelled the next one opens at once")
  func brokenOff() async throws {
    let world = try await Self.world()
    await expect(.cancelled, "cancelled") {
      _ = try await world.session().login.logIn(
        by: .pasted(
          present: { _ in },
          paste: { (_) throws(SDKError) in throw SDKError(.cancelled, "cancelled") }))
    }
    #expect(!world.folder.exists("cache/logins/work.json"))
  }

  @Test("a malformed record is ignored")
  func broken() async throws {
    let world = try await Self.world()
    try world.folder.write(#"{"version":2,"time":1}"#, to: "cache/logins/work.json")
    #expect(AttemptLog(world.location, world.name).last() == nil)
    try world.folder.write("nonsense", to: "cache/logins/work.json")
    #expect(AttemptLog(world.location, world.name).last() == nil)
  }

  private static func fail(_ world: World) async {
    await #expect(throws: SDKError.self) {
      _ = try await world.session().login.logIn(
        by: .pasted(present: { _ in }, paste: { (_) throws(SDKError) in "x" }))
    }
  }

  private static func world() async throws -> World {
    let world = try await World.registered(redirectURI: nil)
    world.grant("a1")
    return world
  }
}
