import CoreTestSupport

@testable import SDKCore

@Suite("The seal of a user")
struct UserSealTests {
  private static let passcode = Array("27182".utf8)
  private static let file = "state/profiles/work/seal.json"

  /// Enters a passcode after a while, and counts how often it is asked for.
  private final class SlowPasscode: PasscodeEntry {
    let asked = Mutex(0)

    func newPasscode(for enrolment: PasscodeEnrolment) -> [UInt8] { UserSealTests.passcode }

    func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
      asked.withLock { $0 += 1 }
      try? await Task.sleep(for: .milliseconds(30))
      return UserSealTests.passcode
    }
  }

  @Test("asks for the passcode once for all that wait")
  func shared() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await world.session().seal.seal([.user], asking: KnownPasscode(Self.passcode))
    let passcode = SlowPasscode()
    let seal = try world.session(passcode: passcode).tokens.slots.seal
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { try await seal.open() } }
      try await group.waitForAll()
    }
    #expect(passcode.asked.withLock { $0 } == 1)
  }

  /// Is cancelled when the first gate opens; enters the passcode when the second one does.
  private final class SecondPasscode: PasscodeEntry {
    let asked = Mutex(0)
    let gates = [AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self)]

    func newPasscode(for enrolment: PasscodeEnrolment) -> [UInt8] { UserSealTests.passcode }

    func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
      let isFirst = asked.withLock { asked in
        asked += 1
        return asked == 1
      }
      for await _ in gates[isFirst ? 0 : 1].stream {}
      if isFirst { throw SDKError(.cancelled, "cancelled") }
      return UserSealTests.passcode
    }
  }

  @Test("asks again once after a failure, however late some hear of it")
  func late() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await world.session().seal.seal([.user], asking: KnownPasscode(Self.passcode))
    let passcode = SecondPasscode()
    let seal = try world.session(passcode: passcode).tokens.slots.seal
    func waiting() -> (SteppedExecutor, Task<Void, any Error>) {
      let steps = SteppedExecutor()
      let task = Task(executorPreference: steps) { try await seal.open() }
      steps.drain()
      return (steps, task)
    }
    let (early, late) = (waiting(), waiting())
    passcode.gates[0].continuation.finish()
    early.0.letRun()
    await #expect(throws: SDKError.self) { try await early.1.value }
    let next = waiting()
    late.0.letRun()
    await #expect(throws: SDKError.self) { try await late.1.value }
    let last = waiting()
    for one in [next, last] { one.0.letRun() }
    passcode.gates[1].continuation.finish()
    for one in [next, last] { try await one.1.value }
    #expect(passcode.asked.withLock { $0 } == 2)
  }

  @Test("that does not exist takes no lock, and is not made by its end")
  func none() async throws {
    let world = try World()
    let seal = try world.session().tokens.slots.seal
    #expect(try await seal.settledStatus() == .notEnrolled)
    #expect(!world.folder.exists(World.locks))
    try await seal.stop()
    #expect(!world.folder.exists(Self.file))
  }

  @Test("opens a secret only as what it was sealed")
  func kinds() async throws {
    let world = try World()
    let session = try world.session(passcode: KnownPasscode(Self.passcode))
    let parts: Set<SealedPart> = [.user, .implicit, .client, .dpop, .identity]
    try await session.seal.seal(parts, asking: KnownPasscode(Self.passcode))
    let seal = session.tokens.slots.seal
    try await seal.open()
    let members: JSONObject = ["refreshToken": "secret-token", "scope": "a"]
    let sealed = try seal.read().sealed(members, of: .tokens(.user))
    #expect(sealed["refreshToken"] == nil && sealed["scope"] == "a")
    #expect(try seal.unsealed(sealed, of: .tokens(.user)) == members)
    let message = "of 'work': it is damaged, or of another passcode"
    await expect(.store, "could not open the sealed token \(message)") {
      _ = try seal.unsealed(sealed, of: .tokens(.implicit))
    }
    #expect(try seal.read().sealed(members, of: .tokens(.anonymous)) == members)
    let key = try seal.read().sealed(["pem": "b"], of: .dpopKey)
    for file in [ProfileFile.registration, .identity, .requestedIdentity] {
      await expect(.store, "could not open the sealed pem \(message)") {
        _ = try seal.unsealed(key, of: file)
      }
    }
    let (secret, other) = ("client.client_secret", "client.registration_access_token")
    let client = try seal.read().sealed(["client": ["client_secret": "s"]], of: .registration)
    let text = try #require(client[ProfileFile.sealedMember]?[secret]?.string)
    #expect(try seal.unsealed(text, secret, of: .registration) == "s")
    for member in [other, "scope"] {
      await expect(.store, "could not open the sealed \(member) \(message)") {
        _ = try seal.unsealed(text, member, of: .registration)
      }
    }
  }

  @Test("is kept if the last passcode, which another process tries, is the right one")
  func tried() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await world.session().seal.seal([.user], asking: KnownPasscode(Self.passcode))
    let seal = try world.session().tokens.slots.seal
    var document = try seal.read()
    let lock = try await ProfileLock.acquire(.seal, of: world.name, at: world.location)
    document.passcode?.failures = PasscodePolicy().maximumAttempts
    try document.write()
    let steps = SteppedExecutor()
    let waiting = Task(executorPreference: steps) { try await seal.eraseIfLockedOut() == nil }
    steps.drain()
    document.passcode?.failures = 0
    try document.write()
    lock.release()
    steps.letRun()
    #expect(try await waiting.value)
    #expect(try seal.read().passcode != nil)
  }

  @Test("takes a passcode that a program knows, unless it was refused before")
  func known() async throws {
    let owner = PasscodeOwner.profile(try ProfileName("work"))
    let entry = KnownPasscode(Self.passcode)
    func enrolment(_ violation: PasscodePolicy.Violation?) -> PasscodeEnrolment {
      PasscodeEnrolment(owner: owner, policy: PasscodePolicy(), violation: violation)
    }
    #expect(try await entry.newPasscode(for: enrolment(nil)) == Self.passcode)
    let violation = PasscodePolicy.Violation.sequence
    await expect(.invalidRequest, "\(violation)") {
      _ = try await entry.newPasscode(for: enrolment(violation))
    }
  }
}
