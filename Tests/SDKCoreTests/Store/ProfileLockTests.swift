import CoreTestSupport

@testable import SDKCore

@Suite("The locks of a profile")
struct ProfileLockTests {
  @Test("are taken in one order by each function that takes several")
  func order() async throws {
    let world = try World()
    let held = try await ProfileLock.acquire(.implicit, of: world.name, at: world.location)
    let message = "could not get the lock 'implicit' of 'work': another process holds it"
    await expect(.busy, message) {
      _ = try await ProfileLock.acquireAll(
        of: world.name, at: world.location, waiting: .zero)
    }
    // Who gets an implicit token holds its lock and then takes that of the user: a removal that
    // held the user's lock by now would wait for it, and it for the removal.
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

  @Test("are each waited for as long as is left then")
  func left() async throws {
    let world = try World()
    var asked = 0
    func left() -> Duration {
      asked += 1
      return .zero
    }
    try await ProfileLock.acquireAll(of: world.name, at: world.location, waiting: left()).release()
    #expect(asked == ProfileLock.allCases.count)
  }

  @Test("are not waited for beyond the time of a command")
  func limited() async throws {
    let world = try World()
    let held = try await ProfileLock.acquire(.profile, of: world.name, at: world.location)
    let all = try await FileLock.acquire(
      world.location.stateFile("profiles.lock"), waiting: .zero, action: "")
    var options = SessionOptions()
    options.deadline = .now
    let store = ProfileStore(
      world.location, sharing: nil, over: .scripted(world.transport), options)
    let message = "could not get the lock 'profile' of 'work': another process holds it"
    await expect(.busy, message) { try await store.holding(.profile, of: world.name) {} }
    await expect(.busy, message) { try await store.remove(world.name) }
    await expect(.busy, message) { try await store.copy(world.name, to: ProfileName("other")) }
    await expect(.busy, "could not get the lock of the profiles: another process holds it") {
      try await store.exclusively {}
    }
    held.release()
    all.release()
  }

  @Test("cannot be taken of a profile that was removed meanwhile, which is what is wrong")
  func removed() async throws {
    let world = try World()
    for isRemoved in [false, true] {
      let error = await #expect(throws: SDKError.self) {
        let busy = SDKError(.busy, "another process has it")
        try await world.store.holding(LockOrder.Rank(.user), of: world.name, busy: busy) { () in
        } acquiring: { () async throws(SDKError) in
          if isRemoved { try await world.store.remove(world.name) }
          throw SDKError(.store, "there is no directory for it")
        }
      }
      #expect(error?.code == (isRemoved ? .noProfile : .store))
    }
  }

  @Test("have one name for each slot, and the implicit token's comes before the user's")
  func slots() {
    #expect(CredentialSlot.allCases.map(\.lock) == [.user, .implicit, .anonymous])
    #expect(
      ProfileLock.allCases
        == [
          .derived, .enrolment, .login, .profile, .registration, .pins, .implicit, .user,
          .anonymous,
          .dpop, .identities, .authenticators, .seal,
        ])
  }

  @Test("are noted as held while all of a profile are")
  func noted() async throws {
    let world = try World()
    try await world.store.holdingAll(of: world.name) { () async throws(SDKError) in
      #expect(LockOrder.held.map(\.lock) == ProfileLock.allCases.map { LockOrder.Rank($0) })
    }
  }

  @Test("must not be taken while a later one of the same profile is held", .enabled(if: isDebug))
  func outOfOrder() async throws {
    await #expect(processExitsWith: .failure) {
      let environment = try World().session().environment
      try await environment.locked(.user) { () async throws(SDKError) in
        try await environment.locked(.implicit) {}
      }
    }
    // Also not by a part of the work that goes on when the task is cancelled.
    await #expect(processExitsWith: .failure) {
      let environment = try World().session().environment
      try await environment.locked(.user) { () async throws(SDKError) in
        try await environment.uninterrupted { () async throws(SDKError) in
          try await environment.locked(.login) {}
        }
      }
    }
  }

  @Test("of an identity stands after that of enrolments, and before all others")
  func identity() async throws {
    let enrolment = LockOrder.Rank(.enrolment)
    #expect(enrolment < .identity)
    for lock in ProfileLock.allCases where LockOrder.Rank(lock) > enrolment {
      #expect(.identity < LockOrder.Rank(lock))
    }
    let environment = try World().session().environment
    let name = try IdentityName("a")
    let depth = try await environment.locked(.enrolment) { () async throws(SDKError) in
      try await environment.lockedIdentity(name) { () async throws(SDKError) in
        try await environment.locked(.login) { () async throws(SDKError) in LockOrder.held.count }
      }
    }
    #expect(depth == 3)
  }

  @Test("of an identity must not be taken while a later one is held", .enabled(if: isDebug))
  func identityOutOfOrder() async throws {
    await #expect(processExitsWith: .failure) {
      let environment = try World().session().environment
      try await environment.locked(.registration) { () async throws(SDKError) in
        try await environment.lockedIdentity(try IdentityName("a")) {}
      }
    }
  }

  @Test("may be taken in their order, and in any order one after the other or of two profiles")
  func inOrder() async throws {
    let world = try World()
    let environment = try world.session().environment
    let other = try World().session().environment
    let depth = try await environment.locked(.login) { () async throws(SDKError) in
      try await environment.locked(.user) { () async throws(SDKError) in
        try await other.locked(.login) { () async throws(SDKError) in LockOrder.held.count }
      }
    }
    #expect(depth == 3)
    #expect(LockOrder.held.isEmpty)
    try await environment.locked(.dpop) {}
    try await environment.locked(.login) {}
  }

  /// Whether assertions are checked in this build.
  private static var isDebug: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true; return true
      }())
    return isDebug
  }
}
