import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("The passcode of an authenticator")
struct AuthenticatorPasscodeTests {
  /// With a key of alice.
  private let world: World
  private let authenticator: SoftwareAuthenticator

  init() async throws {
    world = try await Self.registered()
    authenticator = try world.authenticator()
  }

  @Test("is asked for again after a wrong one, with what is left")
  func asked() async throws {
    let passcodes = ScriptedPasscodes("000000", "111111", "271828")
    let response = try await world.authenticator().authenticate(
      by: AuthenticatorDelegates(passcode: passcodes))
    #expect(response.key.signCounter == 2)
    #expect(
      passcodes.statuses == [
        .unlocked, .lastAttemptFailed(remainingTries: 4, coolDown: 0),
        .lastAttemptFailed(remainingTries: 3, coolDown: 0),
      ])
    #expect(try world.authenticator().passcodeStatus() == .unlocked)
  }

  @Test("cools down after three wrong ones, and longer each time, unless the clock was set back")
  func coolDown() async throws {
    let error = try await Self.refusal(authenticator, "0", "1", "2", "271828")
    #expect(error.clientErrorCode == .authenticatorAccessDenied)
    #expect(error.code == .policy)
    #expect(error.message.contains("for another 30 seconds"))
    #expect(
      try authenticator.passcodeStatus() == .lastAttemptFailed(remainingTries: 2, coolDown: 30))
    world.now = world.now + 29
    #expect(
      try authenticator.passcodeStatus() == .lastAttemptFailed(remainingTries: 2, coolDown: 1))
    world.now = world.now + 1
    _ = try await Self.refusal(authenticator, "3", "271828")
    #expect(
      try authenticator.passcodeStatus() == .lastAttemptFailed(remainingTries: 1, coolDown: 60))
    world.now = world.now - 1_000_000
    #expect(
      try authenticator.passcodeStatus() == .lastAttemptFailed(remainingTries: 1, coolDown: 0))
    try await authenticator.authenticate()
    #expect(try authenticator.passcodeStatus() == .unlocked)
  }

  @Test("counts a trial that was killed, and says what may have happened")
  func killed() async throws {
    // What is on disk while a passcode is tried.
    var document = try authenticator.read()
    document.passcode?.failures = 3
    document.passcode?.failedAt = world.now
    try document.write()
    let error = try await Self.refusal(authenticator, "271828")
    #expect(
      error.message.hasSuffix(
        "after wrong passcodes, or trials that were killed, the authenticator accepts none for another 30 "
          + "seconds"))
    world.now = world.now + 30
    try await authenticator.authenticate()
    #expect(try authenticator.passcodeStatus() == .unlocked)
  }

  @Test("locks the authenticator after five wrong ones, whichever process tries them")
  func bruteForce() async throws {
    for round in 0..<5 {
      // Each has read nothing of what the one before has tried.
      let error = try await Self.refusal(try world.authenticator(), "00000\(round)")
      #expect(error.code == (round < 4 ? .cancelled : .policy), "\(round)")
      world.now = world.now + 3600
    }
    let authenticator = try world.authenticator()
    #expect(try authenticator.passcodeStatus() == .lockedOut)
    let passcodes = ScriptedPasscodes("271828")
    let error = await #expect(throws: SDKError.self) {
      try await authenticator.authenticate(by: AuthenticatorDelegates(passcode: passcodes))
    }
    #expect(error?.clientErrorCode == .userLockout)
    #expect(passcodes.statuses == [], "nobody is asked for a passcode that cannot help")
    let change = await #expect(throws: SDKError.self) {
      try await authenticator.changePasscode(from: Array("271828".utf8), to: Array("314159".utf8))
    }
    #expect(change?.clientErrorCode == .userLockout)
  }

  @Test("is tried by one at a time: those who try at once count one after the other")
  func atOnce() async throws {
    let codes = await withTaskGroup(of: SDKError.Code?.self) { group in
      for round in 0..<8 {
        group.addTask {
          do throws(SDKError) {
            try await attempt { try world.authenticator() }
              .authenticate(by: .passcode("00000\(round)"))
            return nil
          } catch {
            return error.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    // The third wrong one begins the cool-down, in which none is tried.
    #expect(codes.count { $0 == .cancelled } == 3)
    #expect(codes.count { $0 == .policy } == 5)
    #expect(
      try world.authenticator().passcodeStatus()
        == .lastAttemptFailed(remainingTries: 2, coolDown: 30))
  }

  @Test("is not wrong because the task was cancelled while it was tried")
  func cancelled() async throws {
    let world = try World()
    let authenticator = try world.authenticator(cost: ScryptCost(n: 1 << 15, r: 8, p: 1))
    try await authenticator.enrol()
    let task = Task { _ = try? await authenticator.authenticate() }
    while try authenticator.passcodeStatus() == .unlocked,
      try authenticator.keys()[0].signCounter == 1
    {
      await Task.yield()
    }
    task.cancel()
    await task.value
    #expect(try authenticator.passcodeStatus() == .unlocked)
  }

  @Test("is chosen as the policy says, once for all keys")
  func enrolled() async throws {
    let world = try World()
    let authenticator = try world.authenticator()
    #expect(try authenticator.passcodeStatus() == .notEnrolled)
    let passcodes = ScriptedPasscodes("12345", "123456", "112211", "271828")
    try await authenticator.register(by: AuthenticatorDelegates(passcode: passcodes))
    #expect(
      passcodes.objections == [nil, .tooShort(minimum: 6), .sequence, .similarDigits(maximum: 3)])
    // The second key is for who knows the passcode.
    let wrong = ScriptedPasscodes("999000")
    await #expect(throws: SDKError.self) {
      try await authenticator.register(
        try TestAuthenticator.registration(username: "bob"),
        by: AuthenticatorDelegates(passcode: wrong))
    }
    #expect(wrong.objections == [])
    #expect(try authenticator.keys().map(\.username) == ["alice"])
  }

  @Test("is changed with the old one, and keeps the keys")
  func changed() async throws {
    func change(_ old: String, _ new: String) async throws(SDKError) {
      try await authenticator.changePasscode(from: Array(old.utf8), to: Array(new.utf8))
    }
    let action = "could not change the passcode of the authenticator FFFF#0001"
    await expect(.invalidRequest, "\(action): the passcode has fewer than 6 characters") {
      try await change("000000", "1")
    }
    await expect(.invalidRequest, "\(action): the new passcode is the old one") {
      try await change("271828", "271828")
    }
    #expect(try authenticator.passcodeStatus() == .unlocked, "the old passcode was not tried")
    await expect(.wrongPasscode, "\(action): the passcode is wrong") {
      try await change("000000", "314159")
    }
    #expect(
      try authenticator.passcodeStatus() == .lastAttemptFailed(remainingTries: 4, coolDown: 0))
    try await change("271828", "314159")
    #expect(try authenticator.passcodeStatus() == .unlocked)
    try await authenticator.authenticate(by: .passcode("314159"))
    _ = try await Self.refusal(authenticator, "271828")
  }

  @Test("costs what the standard cost of scrypt is")
  func cost() async throws {
    let world = try World()
    let authenticator = SoftwareAuthenticator(
      try world.session().environment, try TestAuthenticator.settings(),
      securityTokens: world.identities())
    try await authenticator.enrol()
    let document = try JSON(parsing: world.folder.bytes(of: TestAuthenticator.file))
    #expect(document["passcode"]?["sealed"]?["n"] == .int(ScryptCost.standard.n))
  }

  static func registered() async throws -> World {
    let world = try World()
    try await world.authenticator().enrol()
    return world
  }

  private static func refusal(
    _ authenticator: SoftwareAuthenticator, _ passcodes: String...
  ) async throws -> SDKError {
    let person = AuthenticatorDelegates(passcode: ScriptedPasscodes(passcodes))
    return try #require(
      await #expect(throws: SDKError.self) { try await authenticator.authenticate(by: person) })
  }
}

@Suite("The settings of an authenticator")
struct AuthenticatorSettingsTests {
  @Test("requires a verification of the user, unless the profile does not")
  func verification() async throws {
    await expect(.policy) { try AuthenticatorSettings(userVerification: .none) }
    let settings = try AuthenticatorSettings(userVerification: .none, allowsNoVerification: true)
    #expect(settings.description().userVerification == 0x200)
    #expect(settings.aaid.description == "FFFF#0001")
  }
}
