import POSIX
import TestSupport
import Testing

@testable import SDKCore

@Suite("The locks of a profile")
struct ProfileLockTests {
  @Test("are taken in one order by whoever takes several")
  func order() async throws {
    let world = try World()
    let held = try await ProfileLock.acquire(.implicit, of: world.name, at: world.location)
    let message = "could not get the lock 'implicit' of 'work': another process holds it"
    await expect(.busy, message) {
      _ = try await ProfileLock.acquireAll(
        of: world.name, at: world.location, waiting: .zero)
    }
    // Who gets an implicit token holds its lock and then takes that of the user: a rename that
    // held the user's lock by now would wait for it, and it for the rename.
    #expect(!world.folder.exists(World.locks + "/user.lock"))
    held.release()
    let all = try await ProfileLock.acquireAll(of: world.name, at: world.location, waiting: .zero)
    for lock in ProfileLock.allCases {
      await #expect(throws: SDKError.self) {
        try await ProfileLock.acquire(
          lock, of: world.name, at: world.location, waiting: .zero
        ).release()
      }
    }
    all.release()
  }

  @Test("guard each slot by one of its own name, the implicit token's before the user's")
  func slots() {
    #expect(CredentialSlot.allCases.map(\.lock) == [.user, .implicit, .anonymous])
    #expect(
      ProfileLock.allCases
        == [
          .enrolment, .login, .profile, .registration, .pins, .derived, .implicit, .user,
          .anonymous,
          .dpop, .identities,
        ])
  }
}
