import CoreTestSupport
import JSON
import Synchronization
import TestSupport
import Testing

@testable import SDKCore

@Suite("The seal of a user")
struct SlotSealTests {
  private static let pin = Array("27182".utf8)
  private static let file = "state/profiles/work/seal.json"

  /// Enters a PIN after a while, and counts how often it is asked for.
  private final class SlowPIN: PINEntry {
    let asked = Mutex(0)

    func newPIN(for enrolment: PINEnrolment) -> [UInt8] { SlotSealTests.pin }

    func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8] {
      asked.withLock { $0 += 1 }
      try? await Task.sleep(for: .milliseconds(30))
      return SlotSealTests.pin
    }
  }

  @Test("asks for the PIN once for all that wait")
  func shared() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await world.session().seal.seal([.user], [], asking: KnownPIN(Self.pin))
    let pin = SlowPIN()
    let seal = try world.session(pin: pin).tokens.slots.seal
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { try await seal.open() } }
      try await group.waitForAll()
    }
    #expect(pin.asked.withLock { $0 } == 1)
  }

  /// Is cancelled when the first gate opens; enters the PIN when the second one does.
  private final class SecondPIN: PINEntry {
    let asked = Mutex(0)
    let gates = [AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self)]

    func newPIN(for enrolment: PINEnrolment) -> [UInt8] { SlotSealTests.pin }

    func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8] {
      let isFirst = asked.withLock { asked in
        asked += 1
        return asked == 1
      }
      for await _ in gates[isFirst ? 0 : 1].stream {}
      if isFirst { throw SDKError(.cancelled, "cancelled") }
      return SlotSealTests.pin
    }
  }

  @Test("asks again once after a failure, however late some hear of it")
  func late() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await world.session().seal.seal([.user], [], asking: KnownPIN(Self.pin))
    let pin = SecondPIN()
    let seal = try world.session(pin: pin).tokens.slots.seal
    func waiting() -> (SteppedExecutor, Task<Void, any Error>) {
      let steps = SteppedExecutor()
      let task = Task(executorPreference: steps) { try await seal.open() }
      steps.drain()
      return (steps, task)
    }
    let (early, late) = (waiting(), waiting())
    pin.gates[0].continuation.finish()
    early.0.letRun()
    await #expect(throws: SDKError.self) { try await early.1.value }
    let next = waiting()
    late.0.letRun()
    await #expect(throws: SDKError.self) { try await late.1.value }
    let last = waiting()
    for one in [next, last] { one.0.letRun() }
    pin.gates[1].continuation.finish()
    for one in [next, last] { try await one.1.value }
    #expect(pin.asked.withLock { $0 } == 2)
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
    let session = try world.session(pin: KnownPIN(Self.pin))
    let kinds = Set(SealedKind.allCases)
    try await session.seal.seal([.user, .implicit], kinds, asking: KnownPIN(Self.pin))
    let seal = session.tokens.slots.seal
    try await seal.open()
    let token = try #require(try seal.sealed("secret-token", of: .user))
    #expect(try seal.opened(token, of: .user) == "secret-token")
    let message = "of 'work': it is damaged, or of another PIN"
    await expect(.store, "could not open the sealed token \(message)") {
      _ = try seal.opened(token, of: .implicit)
    }
    #expect(try seal.sealed("other", of: .anonymous) == nil)
    let key = try #require(try seal.read().sealed(["a": "b"], of: .dpop))
    #expect(try seal.opened(key, of: .dpop) == ["a": "b"])
    for kind in SealedKind.allCases where kind != .dpop {
      await expect(.store, "could not open the sealed \(kind.rawValue) \(message)") {
        _ = try seal.opened(key, of: kind)
      }
    }
  }

  @Test("takes a PIN that a program knows, unless it was refused before")
  func known() async throws {
    let owner = PINOwner.profile(try ProfileName("work"))
    let entry = KnownPIN(Self.pin)
    func enrolment(_ violation: PINPolicy.Violation?) -> PINEnrolment {
      PINEnrolment(owner: owner, policy: PINPolicy(), violation: violation)
    }
    #expect(try await entry.newPIN(for: enrolment(nil)) == Self.pin)
    let violation = PINPolicy.Violation.sequence
    await expect(.invalidRequest, "\(violation)") {
      _ = try await entry.newPIN(for: enrolment(violation))
    }
  }
}
