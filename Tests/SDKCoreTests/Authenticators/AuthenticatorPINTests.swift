import CoreTestSupport
import JSON
import OpenSSL
import Primitives
import TestSupport
import Testing
import UAF

@testable import SDKCore

@Suite("The PIN of an authenticator")
struct AuthenticatorPINTests {
  @Test("is asked for again after a wrong one, with what is left")
  func asked() async throws {
    let world = try await Self.registered()
    let pins = ScriptedPINs("000000", "111111", "271828")
    let response = try await Self.authenticate(try world.authenticator(), pins)
    #expect(response.key.signCounter == 2)
    #expect(
      pins.statuses == [
        .unlocked, .lastAttemptFailed(remainingTries: 4, coolDown: 0),
        .lastAttemptFailed(remainingTries: 3, coolDown: 0),
      ])
    #expect(try world.authenticator().pinStatus() == .unlocked)
  }

  @Test("cools down after three wrong ones, and longer each time, unless the clock was set back")
  func coolDown() async throws {
    let world = try await Self.registered()
    let authenticator = try world.authenticator()
    let error = try await Self.refusal(authenticator, "0", "1", "2", "271828")
    #expect(error.clientErrorCode == .authenticatorAccessDenied)
    #expect(error.code == .policy)
    #expect(error.message.contains("for another 30 seconds"))
    #expect(
      try authenticator.pinStatus() == .lastAttemptFailed(remainingTries: 2, coolDown: 30))
    world.now = world.now + 29
    #expect(try authenticator.pinStatus() == .lastAttemptFailed(remainingTries: 2, coolDown: 1))
    world.now = world.now + 1
    _ = try await Self.refusal(authenticator, "3", "271828")
    #expect(
      try authenticator.pinStatus() == .lastAttemptFailed(remainingTries: 1, coolDown: 60))
    world.now = world.now - 1_000_000
    #expect(try authenticator.pinStatus() == .lastAttemptFailed(remainingTries: 1, coolDown: 0))
    _ = try await Self.authenticate(authenticator, ScriptedPINs("271828"))
    #expect(try authenticator.pinStatus() == .unlocked)
  }

  @Test("counts a trial that was killed, and says what may have happened")
  func killed() async throws {
    let world = try await Self.registered()
    let authenticator = try world.authenticator()
    // What is on disk while a PIN is tried.
    var document = try authenticator.read()
    document.pin?.failures = 3
    document.pin?.failedAt = world.now
    try document.write()
    let error = try await Self.refusal(authenticator, "271828")
    #expect(
      error.message.hasSuffix(
        "after wrong PINs, or trials that were killed, the authenticator accepts none for another 30 "
          + "seconds"))
    world.now = world.now + 30
    _ = try await Self.authenticate(authenticator, ScriptedPINs("271828"))
    #expect(try authenticator.pinStatus() == .unlocked)
  }

  @Test("locks the authenticator after five wrong ones, whichever process tries them")
  func bruteForce() async throws {
    let world = try await Self.registered()
    for round in 0..<5 {
      // Each has read nothing of what the one before has tried.
      let error = try await Self.refusal(try world.authenticator(), "00000\(round)")
      #expect(error.code == (round < 4 ? .cancelled : .policy), "\(round)")
      world.now = world.now + 3600
    }
    let authenticator = try world.authenticator()
    #expect(try authenticator.pinStatus() == .lockedOut)
    let pins = ScriptedPINs("271828")
    let error = await #expect(throws: SDKError.self) {
      _ = try await Self.authenticate(authenticator, pins)
    }
    #expect(error?.clientErrorCode == .userLockout)
    #expect(pins.statuses == [], "nobody is asked for a PIN that cannot help")
    let change = await #expect(throws: SDKError.self) {
      try await authenticator.changePIN(from: Array("271828".utf8), to: Array("314159".utf8))
    }
    #expect(change?.clientErrorCode == .userLockout)
  }

  @Test("is tried by one at a time: those who try at once count one after the other")
  func atOnce() async throws {
    let world = try await Self.registered()
    let codes = await withTaskGroup(of: SDKError.Code?.self) { group in
      for round in 0..<8 {
        group.addTask {
          let pins = ScriptedPINs("00000\(round)")
          do throws(SDKError) {
            _ = try await Self.authenticate(try Self.authenticator(of: world), pins)
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
      try world.authenticator().pinStatus() == .lastAttemptFailed(remainingTries: 2, coolDown: 30))
  }

  @Test("is not wrong because the task was cancelled while it was tried")
  func cancelled() async throws {
    let world = try World()
    let authenticator = try world.authenticator(cost: ScryptCost(n: 1 << 15, r: 8, p: 1))
    _ = try await authenticator.register(
      try TestAuthenticator.registration(), facetID: TestAuthenticator.facetID,
      delegates: .pin("271828"))
    let task = Task { _ = try? await Self.authenticate(authenticator, ScriptedPINs("271828")) }
    while try authenticator.pinStatus() == .unlocked, try authenticator.keys()[0].signCounter == 1 {
      await Task.yield()
    }
    task.cancel()
    await task.value
    #expect(try authenticator.pinStatus() == .unlocked)
  }

  @Test("is chosen as the policy says, once for all keys")
  func enrolled() async throws {
    let world = try World()
    let authenticator = try world.authenticator()
    #expect(try authenticator.pinStatus() == .notEnrolled)
    let pins = ScriptedPINs("12345", "123456", "112211", "271828")
    _ = try await authenticator.register(
      try TestAuthenticator.registration(), facetID: TestAuthenticator.facetID,
      delegates: AuthenticatorDelegates(pin: pins))
    #expect(
      pins.objections == [nil, .tooShort(minimum: 6), .sequence, .similarDigits(maximum: 3)])
    // The second key is for who knows the PIN.
    let wrong = ScriptedPINs("999000")
    await #expect(throws: SDKError.self) {
      _ = try await authenticator.register(
        try TestAuthenticator.registration(username: "bob"), facetID: TestAuthenticator.facetID,
        delegates: AuthenticatorDelegates(pin: wrong))
    }
    #expect(wrong.objections == [])
    #expect(try authenticator.keys().map(\.username) == ["alice"])
  }

  @Test("is changed with the old one, and keeps the keys")
  func changed() async throws {
    let world = try await Self.registered()
    let authenticator = try world.authenticator()
    func change(_ old: String, _ new: String) async throws(SDKError) {
      try await authenticator.changePIN(from: Array(old.utf8), to: Array(new.utf8))
    }
    let action = "could not change the PIN of the authenticator FFFF#0001"
    await expect(.invalidRequest, "\(action): the PIN has fewer than 6 characters") {
      try await change("000000", "1")
    }
    await expect(.invalidRequest, "\(action): the new PIN is the old one") {
      try await change("271828", "271828")
    }
    #expect(try authenticator.pinStatus() == .unlocked, "the old PIN was not tried")
    await expect(.wrongPIN, "\(action): the PIN is wrong") { try await change("000000", "314159") }
    #expect(
      try authenticator.pinStatus() == .lastAttemptFailed(remainingTries: 4, coolDown: 0))
    try await change("271828", "314159")
    #expect(try authenticator.pinStatus() == .unlocked)
    _ = try await Self.authenticate(authenticator, ScriptedPINs("314159"))
    _ = try await Self.refusal(authenticator, "271828")
  }

  @Test("costs what the standard cost of scrypt is")
  func cost() async throws {
    let world = try World()
    let authenticator = SoftwareAuthenticator(
      try world.session().environment, try TestAuthenticator.settings(),
      securityTokens: world.identities())
    _ = try await authenticator.register(
      try TestAuthenticator.registration(), facetID: TestAuthenticator.facetID,
      delegates: .pin("271828"))
    let document = try JSON(parsing: world.folder.bytes(of: TestAuthenticator.file))
    #expect(document["pin"]?["sealed"]?["n"] == .int(ScryptCost.standard.n))
  }

  static func registered() async throws -> World {
    let world = try World()
    _ = try await world.authenticator().register(
      try TestAuthenticator.registration(), facetID: TestAuthenticator.facetID,
      delegates: .pin("271828"))
    return world
  }

  static func authenticate(
    _ authenticator: SoftwareAuthenticator, _ pins: ScriptedPINs
  ) async throws(SDKError) -> AuthenticatorResponse {
    guard let request = try? TestAuthenticator.authentication() else {
      throw SDKError(.invalidRequest, "the request of the test is malformed")
    }
    return try await authenticator.authenticate(
      request, facetID: TestAuthenticator.facetID, delegates: AuthenticatorDelegates(pin: pins))
  }

  private static func refusal(
    _ authenticator: SoftwareAuthenticator, _ pins: String...
  ) async throws -> SDKError {
    let delegate = ScriptedPINs(pins)
    return try #require(
      await #expect(throws: SDKError.self) {
        _ = try await authenticate(authenticator, delegate)
      })
  }

  private static func authenticator(of world: World) throws(SDKError) -> SoftwareAuthenticator {
    try attempt { try world.authenticator() }
  }
}

@Suite("The settings of an authenticator")
struct AuthenticatorSettingsTests {
  @Test("requires a verification of the user, unless the profile does not")
  func verification() throws {
    let error = #expect(throws: SDKError.self) {
      try AuthenticatorSettings(userVerification: .none)
    }
    #expect(error?.code == .policy)
    let settings = try AuthenticatorSettings(userVerification: .none, allowsNoVerification: true)
    #expect(settings.description().userVerification == 0x200)
    #expect(settings.aaid.description == "FFFF#0001")
  }
}
